import { newId } from '../../../db/id.ts'
import { findDataUsage, putData } from '../../../db/queries/data.ts'
import { readSpaceContent } from '../../../db/queries/delivery.ts'
import { findPageBySlug, findPageToChange, insertPage, updatePage } from '../../../db/queries/pages.ts'
import { findPart, findPartByName, insertPart, updatePart } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { codePoints } from '../../api/fields.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after, requireRead } from '../../api/precondition.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { rules } from '../../api/rules.ts'
import { includesOf } from '../includes.ts'
import { checkLimits } from '../limits.ts'
import { type Content, snapshotOf } from '../previews/evaluate-for-author.ts'
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
  { place, slug, new_slug = slug, kind, html, includes, updated_at, read }: PageWrite & Analyzed,
) => {
  const { sql, spaceId } = write
  const found = await findPageBySlug(sql, spaceId, slug)
  const before = found && (await findPageToChange(sql, spaceId, found.id))
  requireRead(updated_at, before, `The page “${slug}”`)
  requireSame(read, before)
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
  await updatePage(write, before.id, {
    ...change,
    body: html === undefined || !includes ? undefined : { html, includes },
  })
  return { ...before, ...change, isAdded: false }
}

const putPart = async (
  write: SpaceWrite,
  { place, name, new_name = name, updated_at, read, ...sent }: PartWrite & Analyzed,
) => {
  const { sql, spaceId } = write
  const found = await findPartByName(sql, spaceId, name)
  const before = found && (await findPart(sql, spaceId, found.id))
  requireRead(updated_at, before, `The part “${name}”`)
  requireSame(read, before)
  const html = sent.html ?? before?.html
  if (html === undefined) throw invalid(`${place}.html`, 'is required for a new part')
  const includes = sent.includes ?? before?.includes ?? []
  const body = { name: new_name, html, includes, length: codePoints(html) }
  const now = new Date()
  if (!before) {
    const part = { id: newId(), ...body, created_at: now, updated_at: now }
    await insertPart(write, part)
    return { ...part, oldName: name, isAdded: true }
  }
  if (html === before.html && new_name === name) return { ...before, oldName: name, isAdded: false }
  const change = { ...body, updated_at: after(before.updated_at) }
  await updatePart(write, before.id, change)
  return { ...before, ...change, oldName: name, isAdded: false }
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
  const value = JSON.stringify(record.value)
  const written = {
    key,
    value,
    size: Buffer.byteLength(value),
    description: record.description === undefined ? current.description : record.description,
    version: (current.version ?? 0) + 1,
    updated_at: current.updated_at ? after(current.updated_at) : new Date(),
  }
  const isAdded = current.version === null
  await putData(write, written, isAdded)
  return { ...written, isAdded }
}
