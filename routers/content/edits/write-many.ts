import type { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { findDataUsage, putData, recordBefore } from '../../../db/queries/data.ts'
import { findPageBySlug, findPageToChange, insertPage, updatePage } from '../../../db/queries/pages.ts'
import { findPart, findPartByName, insertPart, updatePart } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { codePoints } from '../../core/fields.ts'
import { after } from '../../core/instant.ts'
import { requireBase } from '../../core/precondition.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import { checkLimits } from '../history/check-limits.ts'
import type { SpaceWriter } from '../pages/change-page.ts'
import type { ManyWrites } from './schema.ts'

type Writes = z.output<typeof ManyWrites>

/** The names of the parts that a new body includes; undefined without a new body. */
interface Analyzed {
  includes: string[] | undefined
}

/** An item of the call, with its place in the list for errors. */
interface Placed {
  place: string
}

/**
 * Creates or replaces pages, parts and records in one transaction. Checks the limits of the space at the end of the
 * transaction.
 *
 * @throws `version_conflict`, `data_not_found`, `limit_reached`, an exceeded quota, `validation_failed` for a cycle of
 * includes; after an error nothing is written
 */
export const writeMany = async (ctx: SpaceWriter, { pages, parts, records }: Writes) => {
  const analyzed =
    (list: 'pages' | 'parts') =>
    async <Item extends { html?: string | undefined }>(
      item: Item,
      index: number,
    ): Promise<Item & Analyzed & Placed> => ({
      ...item,
      place: `${list}.${index}`,
      includes: item.html === undefined ? undefined : (await ctx.core.renderer.analyze(item.html)).references,
    })
  const [pageBodies, partBodies] = await Promise.all([
    Promise.all(pages.map(analyzed('pages'))),
    Promise.all(parts.map(analyzed('parts'))),
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

/**
 * Requires that an item is still the one that the caller has read.
 *
 * @throws `version_conflict`
 */
const requireRead = (
  base: string | null | undefined,
  stored: { updated_at: Date } | undefined,
  what: string,
): void => {
  if (base === undefined) return
  if (base !== null && stored) requireBase(base, stored)
  else if (base !== null) throw new Problem('version_conflict', { detail: `${what} no longer exists.` })
  else if (stored) throw new Problem('version_conflict', { detail: `${what} exists already.` })
}

const putPage = async (
  write: SpaceWrite,
  {
    place,
    slug,
    new_slug = slug,
    kind,
    html,
    includes,
    updated_at,
  }: Writes['pages'][number] & Analyzed & Placed,
) => {
  const { sql, spaceId } = write
  const found = await findPageBySlug(sql, spaceId, slug)
  const before = found && (await findPageToChange(sql, spaceId, found.id))
  requireRead(updated_at, before, `The page “${slug}”`)
  const now = new Date()
  if (!before) {
    if (html === undefined || !includes) throw invalid(`${place}.html`, 'is required for a new page')
    const page = {
      id: newId(),
      slug: new_slug,
      kind: kind ?? rules.page.default_kind,
      created_at: now,
      updated_at: now,
    }
    await insertPage(write, { ...page, html, includes })
    return { ...page, isAdded: true }
  }
  const change = { slug: new_slug, kind: kind ?? before.kind, updated_at: after(before.updated_at) }
  const isSame = html === undefined || html === before.html
  if (isSame && change.kind === before.kind && new_slug === slug) return { ...before, isAdded: false }
  await updatePage(write, before, {
    ...change,
    body: html === undefined || !includes ? undefined : { html, includes },
  })
  return { ...before, ...change, isAdded: false }
}

const putPart = async (
  write: SpaceWrite,
  { place, name, new_name = name, updated_at, ...sent }: Writes['parts'][number] & Analyzed & Placed,
) => {
  const { sql, spaceId } = write
  const found = await findPartByName(sql, spaceId, name)
  const before = found && (await findPart(sql, spaceId, found.id))
  requireRead(updated_at, before, `The part “${name}”`)
  const html = sent.html ?? before?.html
  if (html === undefined) throw invalid(`${place}.html`, 'is required for a new part')
  const includes = sent.includes ?? before?.includes ?? []
  const body = { name: new_name, html, includes, length: codePoints(html) }
  const now = new Date()
  if (!before) {
    const part = { id: newId(), ...body, created_at: now, updated_at: now }
    await insertPart(write, part)
    return { ...part, isAdded: true }
  }
  if (html === before.html && new_name === name) return { ...before, isAdded: false }
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
