import { newId } from '../../../db/id.ts'
import { withSpaceLocked } from '../../../db/locks.ts'
import { type Sql, sqlOf } from '../../../db/orm.ts'
import { deleteData, listDataWithSizes, putData } from '../../../db/queries/data.ts'
import { deleteFile, insertFile, updateFile } from '../../../db/queries/files.ts'
import { deletePage, insertPage, listPages, updatePage } from '../../../db/queries/pages.ts'
import { deletePart, insertPart, listPartEdges, updatePart } from '../../../db/queries/parts.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { authorOf } from '../../access/author.ts'
import type { SessionActor, SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { codePoints } from '../../core/fields.ts'
import { after as later } from '../../core/instant.ts'
import { Problem } from '../../core/problem.ts'
import { contentTypeOf } from '../files/filename.ts'
import { includesOf } from '../includes.ts'
import { digestOfPlan, type Includes, type Plan, planImport, requireAllowed, type Totals } from './plan.ts'
import { type Archive, withArchive } from './read-archive.ts'
import type { ImportResult, PlannedChange } from './schema.ts'

/** How to import. */
interface ImportOptions {
  file: string
  /** Whether items that are not in the archive are deleted. */
  deleteMissing: boolean
  /** The id of the plan that the person has confirmed; undefined for a preview. */
  confirmedPlan: string | undefined
}

/**
 * Imports an archive into a space, in one transaction and as one operation of the history. Without a confirmed plan it
 * writes nothing and returns what it would do.
 *
 * @throws `validation_failed` for an archive that breaks a rule, `space_changed` when the plan now differs from the
 * confirmed one, errors of limits and quotas, MissingRowError when the space was deleted meanwhile
 */
export const importSpace = (
  core: Core,
  actor: SessionActor,
  space: SpaceRef,
  { file, deleteMissing, confirmedPlan }: ImportOptions,
): Promise<ImportResult> =>
  withArchive(file, core.creationLimits, async archive => {
    const includes = await analyse(core, archive)
    const check = async (sql: Sql): Promise<Plan> => {
      const plan = await planImport(sql, space.id, archive, deleteMissing)
      requireAllowed(plan, await totalsOf(sql, space.id), includes, core.creationLimits)
      return plan
    }
    const sql = sqlOf(core.orm)
    const preview = await check(sql)
    const result = { plan: digestOfPlan(preview), changes: changesOf(preview) }
    if (confirmedPlan === undefined || (result.changes.length === 0 && result.plan === confirmedPlan))
      return { ...result, operation: null }

    const operation = newId()
    const work = async (write: SpaceWrite) => {
      const plan = await check(write.sql)
      if (digestOfPlan(plan) !== confirmedPlan) throw new Problem('space_changed')
      await applyPlan(write, plan, includes)
    }
    await withSpaceLocked(core.orm, space.id, authorOf(actor, {}), work, { cause: 'import', id: operation })
    return { ...result, operation }
  })

/** Finds the parts that each body in the archive includes. */
const analyse = async (core: Core, archive: Archive): Promise<Includes> => {
  const includes = new Map<string, string[]>()
  for (const { html } of [...archive.pages, ...archive.parts])
    if (!includes.has(html)) includes.set(html, await includesOf(core, html))
  return includes
}

const totalsOf = async (sql: Sql, spaceId: string): Promise<Totals> => ({
  pages: (await listPages(sql, spaceId)).length,
  parts: await listPartEdges(sql, spaceId),
  records: await listDataWithSizes(sql, spaceId),
  files: await listFilesWithDigests(sql, spaceId),
})

const changesOf = (plan: Plan): PlannedChange[] => {
  const list = <Before, After>(
    kind: PlannedChange['kind'],
    steps: { before: Before | undefined; after: After | undefined }[],
    nameOf: (thing: Before | After) => string,
  ): PlannedChange[] =>
    steps.map(({ before, after }) => ({
      kind,
      name: nameOf((after ?? before)!),
      action: before === undefined ? 'add' : after === undefined ? 'delete' : 'change',
    }))
  return [
    ...list('page', plan.pages, ({ slug }) => slug),
    ...list('part', plan.parts, ({ name }) => name),
    ...list('record', plan.records, ({ key }) => key),
    ...list('file', plan.files, ({ name }) => name),
  ]
}

/** Applies a plan. Its deletions come first, so that limits hold at every step. */
const applyPlan = async (write: SpaceWrite, plan: Plan, includes: Includes): Promise<void> => {
  const now = new Date()
  for (const { before, after } of plan.pages) {
    if (!after) await deletePage(write, before!.id)
    else {
      const body = { html: after.html, includes: includes.get(after.html)! }
      const { slug, kind } = after
      if (before) await updatePage(write, before, { slug, kind, updated_at: later(before.updated_at), body })
      else await insertPage(write, { id: newId(), slug, kind, ...body, created_at: now, updated_at: now })
    }
  }
  for (const { before, after } of plan.parts) {
    if (!after) await deletePart(write, before!.id)
    else {
      const { name, html } = after
      const part = { name, html, includes: includes.get(html)!, length: codePoints(html) }
      if (before) await updatePart(write, before, { ...part, updated_at: later(before.updated_at) })
      else await insertPart(write, { id: newId(), ...part, created_at: now, updated_at: now })
    }
  }
  for (const { before, after } of plan.records) {
    if (!after) await deleteData(write, before!.key)
    else {
      const value = JSON.stringify(after.value)
      const record = {
        key: after.key,
        value,
        size: Buffer.byteLength(value),
        description: after.description,
        version: (before?.version ?? 0) + 1,
        updated_at: before ? later(before.updated_at) : now,
      }
      await putData(write, record, before === undefined)
    }
  }
  for (const { before, after } of plan.files) await applyFile(write, before, after, now)
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
        id: newId(),
        name,
        content_type,
        uploaded_by_id: write.author.accountId,
        created_at: now,
        updated_at: now,
      },
      content!,
    )
}
