import { newId } from '../../../db/id.ts'
import { deleteData, putData } from '../../../db/queries/data.ts'
import { deleteFile, insertFile, updateFile } from '../../../db/queries/files.ts'
import { deletePage, insertPage, updatePage } from '../../../db/queries/pages.ts'
import { deletePart, insertPart, updatePart } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import type { Core } from '../../core/context.ts'
import { codePoints } from '../../core/fields.ts'
import { after as later } from '../../core/instant.ts'
import { contentTypeOf } from '../files/filename.ts'
import { includesOf } from '../includes.ts'
import type { AnalysedArchive, Plan } from './plan.ts'
import type { Archive } from './read-archive.ts'

/** Adds the names of the parts that each body in the archive includes. */
export const analysed = async (core: Core, archive: Archive): Promise<AnalysedArchive> => {
  const includes = new Map<string, string[]>()
  for (const { html } of [...archive.pages, ...archive.parts])
    if (!includes.has(html)) includes.set(html, await includesOf(core, html))
  const withIncludes = <Body extends { html: string }>(body: Body) => ({
    ...body,
    includes: includes.get(body.html)!,
  })
  return { ...archive, pages: archive.pages.map(withIncludes), parts: archive.parts.map(withIncludes) }
}

/** Applies a plan. Its deletions come first, so that limits hold at every step. */
export const applyPlan = async (write: SpaceWrite, plan: Plan): Promise<void> => {
  const now = new Date()
  for (const { apply } of plan.settings) await apply(write)
  for (const { before, after } of plan.pages) {
    if (!after) await deletePage(write, before!.id)
    else {
      const { slug, kind, html, includes } = after
      const body = { html, includes }
      if (before) await updatePage(write, before, { slug, kind, updated_at: later(before.updated_at), body })
      else await insertPage(write, { id: newId(), slug, kind, ...body, ...datesOf(after, now) })
    }
  }
  for (const { before, after } of plan.parts) {
    if (!after) await deletePart(write, before!.id)
    else {
      const { name, html, includes } = after
      const part = { name, html, includes, length: codePoints(html) }
      if (before) await updatePart(write, before, { ...part, updated_at: later(before.updated_at) })
      else await insertPart(write, { id: newId(), ...part, created_at: now, updated_at: now })
    }
  }
  for (const { before, after } of plan.records) {
    if (!after) await deleteData(write, before!.key)
    else {
      const { key, value, description } = after
      const record = {
        key,
        value,
        size: Buffer.byteLength(value),
        description,
        version: (before?.version ?? 0) + 1,
        updated_at: before ? later(before.updated_at) : now,
      }
      await putData(write, record, before === undefined)
    }
  }
  for (const { before, after } of plan.files) await applyFile(write, before, after, now)
}

/** The dates of an added page, which the lists of a site show. They are never in the future. */
const datesOf = ({ created_at, updated_at }: AnalysedArchive['pages'][number], now: Date) => {
  const past = (date: string | undefined) =>
    Math.min(date === undefined ? Infinity : Date.parse(date), now.getTime())
  const created = past(created_at)
  return {
    created_at: new Date(created),
    updated_at: new Date(Math.max(created, past(updated_at ?? created_at))),
  }
}

const applyFile = async (
  write: SpaceWrite,
  before: Plan['files'][number]['before'],
  after: Plan['files'][number]['after'],
  now: Date,
): Promise<void> => {
  if (!after) return void (await deleteFile(write, before!.id))
  const { name, digest } = after
  const content_type = contentTypeOf(name)
  const isSame = before && digest.equals(before.digest)
  const content = isSame ? undefined : { bytes: await after.read(), size: after.size, digest }
  if (before)
    await updateFile(write, before, { name, content_type, updated_at: later(before.updated_at) }, content)
  else
    await insertFile(
      write,
      {
        id: after.id ?? newId(),
        name,
        content_type,
        uploaded_by_id: write.author.accountId,
        created_at: now,
        updated_at: now,
      },
      content!,
    )
}
