import type { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { findDataUsage, putData, recordBefore } from '../../../db/queries/data.ts'
import { findPageBySlug, findPageToChange, insertPage, updatePage } from '../../../db/queries/pages.ts'
import { findPart, findPartByName, insertPart, updatePart } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { codePoints } from '../../core/fields.ts'
import { after } from '../../core/instant.ts'
import { Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import { checkLimits } from '../history/check-limits.ts'
import type { SpaceWriter } from '../pages/change-page.ts'
import type { ManyWrites } from './schema.ts'

type Writes = z.output<typeof ManyWrites>

/** A body, with the names of the parts that it includes. */
interface Body {
  html: string
  includes: string[]
}

/**
 * Creates or replaces pages, parts and records in one transaction. Checks the limits of the space at the end of the
 * transaction.
 *
 * @throws `version_conflict`, `data_not_found`, `limit_reached`, an exceeded quota, `validation_failed` for a cycle of
 * includes; after an error nothing is written
 */
export const writeMany = async (ctx: SpaceWriter, { pages, parts, records }: Writes) => {
  const analyzed = async <Item extends { html: string }>(item: Item): Promise<Item & Body> => ({
    ...item,
    includes: (await ctx.core.renderer.analyze(item.html)).references,
  })
  const [pageBodies, partBodies] = await Promise.all([
    Promise.all(pages.map(analyzed)),
    Promise.all(parts.map(analyzed)),
  ])
  return ctx.write(async write => {
    const written = {
      parts: await inOrder(partBodies, part => putPart(write, part)),
      records: await inOrder(records, record => putRecord(write, record)),
      pages: await inOrder(pageBodies, page => putPage(write, page)),
    }
    const limited = [
      ...written.pages.map(({ id, isAdded }) => ({
        kind: 'page' as const,
        thing: id,
        effect: effectOf(isAdded),
      })),
      ...written.parts.map(({ id, isAdded }) => ({
        kind: 'part' as const,
        thing: id,
        effect: effectOf(isAdded),
      })),
      ...written.records.map(({ key, isAdded }) => ({
        kind: 'record' as const,
        thing: key,
        effect: effectOf(isAdded),
      })),
    ]
    await checkLimits(
      write,
      ctx.core.creationLimits,
      limited,
      partId => `parts.${written.parts.findIndex(({ id }) => id === partId)}.html`,
    )
    return written
  })
}

const effectOf = (isAdded: boolean): 'add' | 'change' => (isAdded ? 'add' : 'change')

const inOrder = async <Item, Result>(items: readonly Item[], write: (item: Item) => Promise<Result>) => {
  const results: Result[] = []
  for (const item of items) results.push(await write(item))
  return results
}

const putPage = async (write: SpaceWrite, { slug, kind, html, includes }: Writes['pages'][number] & Body) => {
  const { sql, spaceId } = write
  const found = await findPageBySlug(sql, spaceId, slug)
  const before = found && (await findPageToChange(sql, spaceId, found.id))
  const now = new Date()
  if (!before) {
    const page = {
      id: newId(),
      slug,
      kind: kind ?? rules.page.default_kind,
      created_at: now,
      updated_at: now,
    }
    await insertPage(write, { ...page, html, includes })
    return { ...page, isAdded: true }
  }
  const change = { slug, kind: kind ?? before.kind, updated_at: after(before.updated_at) }
  if (html === before.html && change.kind === before.kind) return { ...before, isAdded: false }
  await updatePage(write, before, { ...change, body: { html, includes } })
  return { ...before, ...change, isAdded: false }
}

const putPart = async (write: SpaceWrite, { name, html, includes }: Writes['parts'][number] & Body) => {
  const { sql, spaceId } = write
  const found = await findPartByName(sql, spaceId, name)
  const before = found && (await findPart(sql, spaceId, found.id))
  const body = { name, html, includes, length: codePoints(html) }
  const now = new Date()
  if (!before) {
    const part = { id: newId(), ...body, created_at: now, updated_at: now }
    await insertPart(write, part)
    return { ...part, isAdded: true }
  }
  if (html === before.html) return { ...before, isAdded: false }
  const change = { ...body, updated_at: after(before.updated_at) }
  await updatePart(write, before, change)
  return { ...before, ...change, isAdded: false }
}

const putRecord = async (write: SpaceWrite, record: Writes['records'][number]) => {
  const { key, version } = record
  const current = await findDataUsage(write.sql, write.spaceId, key)
  if (version !== undefined && current.version === null) throw new Problem('data_not_found')
  if (version !== undefined && version !== current.version)
    throw new Problem('version_conflict', {
      detail: `The current version of ${key} is ${current.version}.`,
    })
  const value = JSON.stringify(record.value)
  const written = {
    key,
    value,
    size: Buffer.byteLength(value),
    description: record.description === undefined ? current.description : record.description,
    version: (current.version ?? 0) + 1,
    updated_at: current.updated_at ? after(current.updated_at) : new Date(),
  }
  const before = recordBefore(current)
  await putData(write, written, before)
  return { ...written, isAdded: !before }
}
