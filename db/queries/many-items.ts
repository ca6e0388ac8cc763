import { sql } from 'kysely'
import type { NewContent } from '../file-store/content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { keepBytes } from './files.ts'
import type { ItemKind } from './item-rows.ts'
import { earlierStates, freeNames, insertItems, removeItems, type Side, updateItems } from './items.ts'
import type { Touched } from './undo-plan.ts'

/** Maximum number of items that one statement handles, and maximum length of their bodies in characters or bytes. */
const SLICE = { items: 500, length: 2_097_152 }

/** The new state of an item. */
export interface ImportedItem {
  /** The id of the item, or the key of the record. */
  thing: string
  /** The columns of the item, without its body. A record gets its version by itself. */
  fields: object
  /** The body; null for a file. */
  body: string | null
  /** SHA-256 of the bytes of a file; null for all other items. */
  digest: Buffer | null
  /** Of a file; null for all other items. */
  content_type: string | null
  /** Used only when the item is added: the time of its last change. Absent means the current time. */
  updated_at?: Date | null
}

/** Deletes items of one kind, with few statements. */
export const deleteItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  ids: readonly string[],
): Promise<void> => {
  for (const slice of slicesOf(ids)) requireAll(slice, await removeItems(write, kind, slice))
}

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
  for await (const slice of slicesByLength(items, ({ body }) => body?.length ?? 0)) {
    const states = statesOf(slice)
    requireAll(
      slice,
      effect === 'change'
        ? await updateItems(write, kind, states)
        : await insertItems(
            write,
            kind,
            states,
            slice.map(({ thing }) => thing),
          ),
    )
  }
}

const statesOf = (items: readonly ImportedItem[]) => sql`
  select thing, place, fields::jsonb as fields, body, digest, content_type, updated_at
  from unnest(${items.map(({ thing }) => thing)}::text[], ${items.map(({ fields }) => JSON.stringify(fields))}::text[],
      ${items.map(({ body }) => body)}::text[], ${items.map(({ digest }) => digest)}::bytea[],
      ${items.map(({ content_type }) => content_type)}::text[],
      ${items.map(({ updated_at }) => updated_at ?? null)}::timestamptz[])
    with ordinality as given (thing, fields, body, digest, content_type, updated_at, place)`

/** An item to undo, with the revision of the first change to undo. The item gets the state from before that change. */
export type Undone = Pick<Touched, 'effect'> & Side

/**
 * Undoes changes to items of one kind with a few statements. The names of the restored items must be free, or belong to
 * items that are undone too.
 *
 * @throws ChangesGoneError if some of the changes were deleted from the history meanwhile
 */
export const undoItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  items: readonly Undone[],
): Promise<void> => {
  const slices = (effect: Touched['effect']) => [...slicesOf(items.filter(item => item.effect === effect))]
  const states = (slice: readonly Undone[]) => earlierStates(write.spaceId, kind, 'before', slice)
  const ids = (slice: readonly Undone[]) => slice.map(({ thing }) => thing)
  for (const slice of slices('delete')) requireAll(slice, await removeItems(write, kind, ids(slice)))
  for (const slice of slices('change')) await freeNames(write, kind, states(slice))
  for (const slice of slices('change')) requireAll(slice, await updateItems(write, kind, states(slice)))
  for (const slice of slices('bring_back'))
    requireAll(slice, await insertItems(write, kind, states(slice), ids(slice)))
}

/** A write was planned with changes that were deleted from the history before it ran. */
export class ChangesGoneError extends Error {
  override name = 'ChangesGoneError'
}

const requireAll = (slice: readonly unknown[], affected: number): void => {
  if (affected !== slice.length)
    throw new ChangesGoneError(`${affected} of ${slice.length} items were written`)
}

function* slicesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += SLICE.items) yield items.slice(from, from + SLICE.items)
}

/**
 * Yields items in batches, one per statement. A batch ends at the maximum number of items or total length.
 *
 * @param lengthOf returns the length of an item
 */
async function* slicesByLength<Item>(
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
  for await (const slice of slicesByLength(small(), ({ size }) => size))
    await sql`insert into blobs (space_id, digest, bytes, size)
      select ${spaceId}, digest, bytes, length(bytes)
      from unnest(${slice.map(({ digest }) => digest)}::bytea[], ${slice.map(({ bytes }) => bytes)}::bytea[])
        as given (digest, bytes)
      on conflict (space_id, digest) do nothing`.execute(db)
}
