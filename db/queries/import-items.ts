import { sql } from 'kysely'
import type { NewContent } from '../file-store/content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { keepBytes } from './changes.ts'
import {
  type ChangedItem,
  type ItemKind,
  insertItems,
  type Recorded,
  recordItems,
  removeItems,
  updateItems,
} from './recorded-items.ts'

/** The new state of an item. */
export interface ImportedItem extends ChangedItem {
  /** The fields that the history stores. For a record, they do not include its version. */
  fields: object
  /** SHA-256 of the body or bytes. */
  digest: Buffer
  /** The body; null for a file. */
  text: string | null
}

/** Maximum number of items that one statement handles, and maximum length of their bodies in characters or bytes. */
const SLICE = { items: 500, length: 2_097_152 }

/** Deletes items of one kind, with few statements. */
export const deleteItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  things: readonly string[],
): Promise<void> => {
  const items = things.map(thing => ({ thing, content_type: null }))
  for (let from = 0; from < items.length; from += SLICE.items) {
    const slice = items.slice(from, from + SLICE.items)
    const states = sql`
      select thing, place, null::jsonb as fields, null::bytea as digest
      from unnest(${slice.map(({ thing }) => thing)}::text[]) with ordinality as given (thing, place)`
    await removeItems(write, kind, await recordItems(write, kind, slice, states, NO_BODIES))
  }
}

const NO_BODIES = sql`(select null::bytea as digest, null::text as text where false)`

/**
 * Adds items of one kind or changes existing ones, with few statements.
 *
 * @param items are read one after the other, so that only a few bodies are in memory
 */
export const putItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  effect: 'add' | 'change',
  items: AsyncIterable<ImportedItem>,
): Promise<void> => {
  const put = effect === 'add' ? insertItems : updateItems
  const slices = slicesOf(items, ({ text }) => text?.length ?? 0)
  for await (const slice of slices) await put(write, kind, await record(write, kind, slice))
}

/**
 * Yields items in batches, one per statement. A batch ends at the maximum number of items or total length.
 *
 * @param lengthOf returns the length of an item
 */
async function* slicesOf<Item>(
  items: AsyncIterable<Item>,
  lengthOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let slice: Item[] = []
  let length = 0
  for await (const item of items) {
    slice.push(item)
    length += lengthOf(item)
    if (slice.length < SLICE.items && length < SLICE.length) continue
    yield slice
    slice = []
    length = 0
  }
  if (slice.length > 0) yield slice
}

const record = (write: SpaceWrite, kind: ItemKind, items: readonly ImportedItem[]): Promise<Recorded> => {
  const bodies = new Map(items.map(({ digest, text }) => [digest.toString('hex'), { digest, text }]))
  return recordItems(
    write,
    kind,
    items,
    sql`
      select thing, place, fields::jsonb, digest
      from unnest(${items.map(({ thing }) => thing)}::text[],
        ${items.map(({ fields }) => JSON.stringify(fields))}::text[],
        ${items.map(({ digest }) => digest)}::bytea[]) with ordinality as given (thing, fields, digest, place)`,
    sql`(
      select * from unnest(${bodies
        .values()
        .map(({ digest }) => digest)
        .toArray()}::bytea[],
        ${bodies
          .values()
          .map(({ text }) => text)
          .toArray()}::text[]) as given (digest, text)
    )`,
  )
}

/** Contents with more bytes than this are inserted one by one, because the driver sends an array of `bytea` as text. */
const MAX_SHARED = 65_536

/** Stores the bytes of files, unless the space already has them. Reads `contents` one after the other. */
export const keepContents = async (write: SpaceWrite, contents: AsyncIterable<NewContent>): Promise<void> => {
  const { sql: db, spaceId } = write
  async function* small() {
    for await (const content of contents)
      if (content.size <= MAX_SHARED) yield content
      else await keepBytes(db, spaceId, content.digest, content.bytes, content.size)
  }
  for await (const slice of slicesOf(small(), ({ size }) => size))
    await sql`insert into blobs (space_id, digest, bytes, size)
      select ${spaceId}, digest, bytes, length(bytes)
      from unnest(${slice.map(({ digest }) => digest)}::bytea[], ${slice.map(({ bytes }) => bytes)}::bytea[])
        as given (digest, bytes)
      on conflict (space_id, digest) do nothing`.execute(db)
}
