import { sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'

/** An item that a draft edits: an item of a space, or a post by the author of the draft. */
export interface EditedItem {
  /** The author of the draft. */
  accountId: string
  /** Null for a post. */
  spaceId: string | null
  kind: Tables['drafts']['kind']
  thing: string
}

interface Found {
  kind: EditedItem['kind']
  thing: string
}

type FindItems = (db: Sql, owner: string, things: readonly string[]) => Promise<Found[]>

const findInSpace: FindItems = async (db, spaceId, things) => {
  const { rows } = await sql<Found>`
    select 'page' as kind, id as thing from pages where space_id = ${spaceId} and id = any(${things})
    union all select 'part', id from parts where space_id = ${spaceId} and id = any(${things})
    union all select 'record', key from data_records where space_id = ${spaceId} and key = any(${things})`.execute(
    db,
  )
  return rows
}

const findInHistory: FindItems = async (db, spaceId, things) => {
  const { rows } = await sql<Found>`select distinct kind, thing from changes
    where space_id = ${spaceId} and kind in ('page', 'part', 'record') and thing = any(${things})`.execute(db)
  return rows
}

const findPosts: FindItems = async (db, accountId, things) => {
  const { rows } = await sql<Found>`select 'post' as kind, id as thing from posts
    where author_id = ${accountId} and id = any(${things})`.execute(db)
  return rows
}

const findDeletedPosts: FindItems = async (db, accountId, things) => {
  const { rows } = await sql<Found>`select 'post' as kind, post_id as thing from post_changes
    where account_id = ${accountId} and post_id = any(${things}) and action = 'delete'`.execute(db)
  return rows
}

/**
 * Returns the items that the given functions do not find. Queries each space separately, because the content of each
 * space can be on another server.
 */
const leaveOut = async <Item extends EditedItem>(
  db: Sql,
  items: readonly Item[],
  findItems: FindItems,
  findOwnPosts: FindItems,
): Promise<Item[]> => {
  const groups = Map.groupBy(items, ({ spaceId, accountId }) => spaceId ?? accountId)
  const missing: Item[] = []
  for (const [owner, group] of groups) {
    const find = group[0]!.spaceId === null ? findOwnPosts : findItems
    const found = await find(
      db,
      owner,
      group.map(({ thing }) => thing),
    )
    const names = new Set(found.map(nameOf))
    missing.push(...group.filter(item => !names.has(nameOf(item))))
  }
  return missing
}

const nameOf = ({ kind, thing }: Found) => `${kind} ${thing}`

/** Returns the items that do not exist. */
export const withoutExisting = <Item extends EditedItem>(db: Sql, items: readonly Item[]): Promise<Item[]> =>
  leaveOut(db, items, findInSpace, findPosts)

/** Returns the deleted items that the history cannot restore. */
export const withoutRestorable = <Item extends EditedItem>(
  db: Sql,
  items: readonly Item[],
): Promise<Item[]> => leaveOut(db, items, findInHistory, findDeletedPosts)
