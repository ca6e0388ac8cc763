import { sql } from 'kysely'
import type { SpaceWrite } from '../space-write.ts'
import {
  type ChangedItem,
  freeNames,
  type ItemKind,
  insertItems,
  type Recorded,
  recordItems,
  removeItems,
  updateItems,
} from './recorded-items.ts'
import type { Touched } from './undo-plan.ts'

/** An item to undo, and the place of the first change to undo. The item gets the state from before that change. */
export type Undone = Pick<Touched, 'thing' | 'revision' | 'position' | 'effect'> & ChangedItem

/** Maximum number of items that one statement handles, so that no statement takes long. */
const SLICE = 500

/**
 * Undoes changes to items of one kind with a few statements. The names of the restored items must be free, or belong to
 * items that are undone too. First records each change in the history. Then writes the recorded states to the
 * items, so that the items and the history agree.
 */
export const undoItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  items: readonly Undone[],
): Promise<void> => {
  const slices = (effect: Touched['effect']) => {
    const chosen = items.filter(item => item.effect === effect)
    return Array.from({ length: Math.ceil(chosen.length / SLICE) }, (_, n) =>
      chosen.slice(n * SLICE, (n + 1) * SLICE),
    )
  }
  for (const slice of slices('delete')) await removeItems(write, kind, await record(write, kind, slice))
  const changes: Recorded[] = []
  for (const slice of slices('change')) changes.push(await record(write, kind, slice))
  for (const slice of changes) await freeNames(write, kind, slice)
  for (const slice of changes) await updateItems(write, kind, slice)
  for (const slice of slices('bring_back')) await insertItems(write, kind, await record(write, kind, slice))
}

/** Records one change for each item: the item gets the state that it had before the first change that is undone. */
const record = (write: SpaceWrite, kind: ItemKind, items: readonly Undone[]): Promise<Recorded> =>
  recordItems(
    write,
    kind,
    items,
    sql`
      select given.thing, given.place, origin.before as fields, origin.before_digest as digest
      from unnest(${items.map(({ thing }) => thing)}::text[], ${items.map(({ revision }) => revision)}::bigint[],
          ${items.map(({ position }) => position)}::int[]) with ordinality as given (thing, revision, position, place)
        join changes as origin on origin.space_id = ${write.spaceId} and origin.revision = given.revision
          and origin.position = given.position`,
    sql`(select digest, text from bodies where space_id = ${write.spaceId})`,
  )
