import { newId } from '../../../db/id.ts'
import { findDataUsage } from '../../../db/queries/data.ts'
import { readSpaceContent } from '../../../db/queries/delivery.ts'
import { insertItem, updateItem } from '../../../db/queries/item-rows.ts'
import { findPage, findPageBySlug } from '../../../db/queries/pages.ts'
import { findPart, findPartByName } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { codePoints } from '../../api/fields.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after, requireRead } from '../../api/precondition.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { nextRecord, storeRecord } from '../data/write-record.ts'
import { includesOf } from '../includes.ts'
import { hasFields, withFields } from '../item-fields.ts'
import { checkLimits } from '../limits.ts'
import { writePage } from '../pages/change-page.ts'
import { NewSettings } from '../pages/schema.ts'
import { nextPart } from '../parts/change-part.ts'
import { type Content, snapshotOf } from '../previews/snapshot.ts'
import { retryStale, StaleError } from '../retry-stale.ts'
import { replaceEverywhere } from './replace-everywhere.ts'
import { requireWorking } from './require-working.ts'
import type { Input, PageWrite, PartWrite, RecordWrite, Writes } from './schema.ts'

/** The names of the parts that a new body includes; undefined without a new body. */
interface Analyzed {
  includes: string[] | undefined
}

/** Thrown at the end of a transaction that is only tried, with what it would have written. */
class Rehearsal extends Error {
  readonly written: Written
  readonly content: Content | undefined

  constructor(written: Written, content: Content | undefined) {
    super('This write was only tried')
    this.written = written
    this.content = content
  }
}

/**
 * Creates or replaces pages, parts and records in one transaction, after replacing a text in them and in all other
 * content if the call asks for that. Checks the limits of the space at the end of the transaction. The items of the call
 * come first in the result, in their order. For a dry run, returns what would be written.
 *
 * @throws `version_conflict`, `data_not_found`, `limit_reached`, an exceeded quota, `validation_failed` for a cycle of
 * includes or a broken page; after an error nothing is written
 */
export const writeMany = (ctx: SpaceCall, input: Input) =>
  retryStale(async () => {
    const placed = <Item>(list: string, items: readonly Item[]) =>
      items.map((item, index) => ({ ...item, place: `${list}.${index}` }))
    const sent: Writes = {
      pages: placed('pages', input.pages),
      parts: placed('parts', input.parts),
      records: placed('records', input.records),
    }
    const { replaced, ...writes } = input.replace
      ? await replaceEverywhere(ctx, sent, input.replace)
      : { ...sent, replaced: [] }
    const analyzed = async <Item extends { html?: string | undefined }>(
      item: Item,
    ): Promise<Item & Analyzed> => ({
      ...item,
      includes: item.html === undefined ? undefined : await includesOf(ctx, item.html),
    })
    const pages = await inOrder(writes.pages, analyzed)
    const parts = await inOrder(writes.parts, analyzed)
    const write = async (space: SpaceWrite) => writeAll(ctx, space, { pages, parts, records: writes.records })
    const operation = { cause: 'write', id: newId() } as const
    if (!input.dry_run && !input.refuse_broken) return { ...(await ctx.write(write, operation)), replaced }

    const { written, content } = await rehearse(ctx, write)
    if (input.refuse_broken && content)
      await requireWorking(ctx, {
        id: newId(),
        snapshot: snapshotOf(ctx.core.addresses, content),
        pages: written.pages.map((page, index) => ({ ...page, html: pages[index]!.html })),
        parts: written.parts.flatMap(({ name, oldName }) => [name, oldName]),
        records: written.records.map(({ key }) => key),
      })
    return { ...(input.dry_run ? written : await ctx.write(write, operation)), replaced }
  })

/** Makes a write, reads the content of the space after it, and undoes the write. */
const rehearse = async (
  ctx: SpaceCall,
  write: (space: SpaceWrite) => Promise<Written>,
): Promise<Rehearsal> => {
  const trying = ctx.write(async space => {
    const written = await write(space)
    throw new Rehearsal(written, await readSpaceContent(space.sql, space.spaceId, ''))
  })
  return trying.catch((error: unknown) => {
    if (error instanceof Rehearsal) return error
    throw error
  })
}

type Written = Awaited<ReturnType<typeof writeAll>>

const writeAll = async (
  ctx: SpaceCall,
  write: SpaceWrite,
  {
    pages,
    parts,
    records,
  }: { pages: (PageWrite & Analyzed)[]; parts: (PartWrite & Analyzed)[]; records: RecordWrite[] },
) => {
  const written = {
    parts: await inOrder(parts, part => putPart(write, part)),
    records: await inOrder(records, record => putRecord(write, record)),
    pages: await inOrder(pages, page => putPage(write, page)),
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
  const placeOf = (partId: string) => parts[written.parts.findIndex(({ id }) => id === partId)]?.place
  await checkLimits(write, ctx.core.creationLimits, limited, partId =>
    placeOf(partId) === 'replace' ? 'replace.new' : `${placeOf(partId)}.html`,
  )
  return written
}

const effectOf = (isAdded: boolean): 'add' | 'change' => (isAdded ? 'add' : 'change')

const inOrder = async <Item, Result>(items: readonly Item[], write: (item: Item) => Promise<Result>) => {
  const results: Result[] = []
  for (const item of items) results.push(await write(item))
  return results
}

/** Requires that the body from which a new one was made is still the stored one. @throws StaleError */
const requireSame = (read: Date | undefined, stored: { updated_at: Date | null } | undefined): void => {
  if (read && stored?.updated_at?.getTime() !== read.getTime()) throw new StaleError()
}

const putPage = async (
  write: SpaceWrite,
  { place, slug, new_slug = slug, includes, updated_at, read, ...sent }: PageWrite & Analyzed,
) => {
  const { sql, spaceId } = write
  const fields = { ...sent, slug: new_slug }
  const found = await findPageBySlug(sql, spaceId, slug)
  const before = found && (await findPage(sql, spaceId, found.id))
  requireRead(updated_at, before, `The page “${slug}”`)
  requireSame(read, before)
  if (before) {
    if (hasFields(before, fields)) return { ...before, isAdded: false }
    const page = { ...withFields(before, fields), updated_at: after(before.updated_at) }
    await writePage(write, page, includes)
    return { ...page, isAdded: false }
  }
  const { html } = sent
  if (html === undefined || !includes) throw invalid(`${place}.html`, 'is required for a new page')
  const now = new Date()
  const page = {
    id: newId(),
    slug: new_slug,
    ...NewSettings.parse(sent),
    html,
    created_at: now,
    updated_at: now,
  }
  await insertItem(write, 'page', { ...page, includes })
  return { ...page, isAdded: true }
}

const putPart = async (
  write: SpaceWrite,
  { place, name, new_name = name, includes, updated_at, read, ...sent }: PartWrite & Analyzed,
) => {
  const { sql, spaceId } = write
  const fields = { ...sent, name: new_name }
  const found = await findPartByName(sql, spaceId, name)
  const before = found && (await findPart(sql, spaceId, found.id))
  requireRead(updated_at, before, `The part “${name}”`)
  requireSame(read, before)
  if (before) {
    if (hasFields(before, fields)) return { ...before, oldName: name, isAdded: false }
    const part = nextPart(before, fields, includes)
    await updateItem(write, 'part', before.id, part)
    return { ...part, oldName: name, isAdded: false }
  }
  const { html } = sent
  if (html === undefined || !includes) throw invalid(`${place}.html`, 'is required for a new part')
  const now = new Date()
  const part = {
    id: newId(),
    name: new_name,
    html,
    includes,
    length: codePoints(html),
    created_at: now,
    updated_at: now,
  }
  await insertItem(write, 'part', part)
  return { ...part, oldName: name, isAdded: true }
}

const putRecord = async (write: SpaceWrite, record: RecordWrite) => {
  const { key, version, read } = record
  const current = await findDataUsage(write.sql, write.spaceId, key)
  requireSame(read, current)
  if (version !== undefined && current.version === null) throw new Problem('data_not_found')
  if (version !== undefined && version !== current.version)
    throw new Problem('version_conflict', {
      detail: `The current version of ${key} is ${current.version}.`,
    })
  const written = nextRecord(current, { ...record, value: JSON.stringify(record.value) })
  await storeRecord(write, written)
  return { ...written, isAdded: current.version === null }
}
