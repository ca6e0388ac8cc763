import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../orm.ts'
import { isContentServerAway } from '../unavailable.ts'

// These searches run while a person types. Each reads only names, and at most as many rows as one owner can have.

const contains = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`position(lower(${needle}) in lower(${column})) > 0`

const startsWith = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`starts_with(lower(${column}), lower(${needle}))`

/**
 * Finds the spaces of an account whose subdomain or name contains a string, ignoring case. Spaces whose subdomain or
 * name starts with the string come first, then all others. Both groups are sorted by the time of the account's last
 * change to the space, latest first. If there is no such change, the time when the account joined the space counts.
 *
 * @param needle empty to find all spaces
 */
export const findSpacesOfAccount = async (db: Sql, accountId: string, needle: string, limit: number) => {
  const subdomain = sql.ref('space.subdomain')
  const name = sql.ref('space.name')
  const { rows: spaces } = await sql<{
    id: string
    subdomain: string
    name: string
    icon_id: string | null
    joined_at: Date
    starts: boolean
  }>`
    select space.id, space.subdomain, space.name, icon.id as icon_id, participant.joined_at,
      ${startsWith(subdomain, needle)} or ${startsWith(name, needle)} as starts
    from participants as participant
    join space_names as space on space.id = participant.space_id
    left join icons as icon on icon.space_id = space.id
    where participant.account_id = ${accountId}
      and (${contains(subdomain, needle)} or ${contains(name, needle)})
    order by space.subdomain`.execute(db)
  const changedAt = await findLastChanges(
    db,
    accountId,
    spaces.map(({ id }) => id),
  )
  const usedAt = (space: (typeof spaces)[number]) => (changedAt.get(space.id) ?? space.joined_at).getTime()
  return spaces
    .toSorted((a, b) => Number(b.starts) - Number(a.starts) || usedAt(b) - usedAt(a))
    .slice(0, limit)
}

/** Returns the time of an account's last change to each space. Returns an empty map while a content server is down. */
const findLastChanges = async (
  db: Sql,
  accountId: string,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> => {
  try {
    // The lateral join reads one row of each space. Both tables are distributed by space, so each server joins its own
    // rows.
    const { rows } = await sql<{ id: string; at: Date }>`
      select space.id, change.at from spaces as space cross join lateral (
        select at from writes where writes.space_id = space.id and writes.actor = ${accountId}
        order by revision desc limit 1
      ) as change
      where space.id = any(${spaceIds})`.execute(db)
    return new Map(rows.map(({ id, at }) => [id, at]))
  } catch (error) {
    if (isContentServerAway(error)) return new Map()
    throw error
  }
}

/** An item of a space that was found by its name. */
export interface FoundItem {
  kind: 'page' | 'part' | 'record' | 'file'
  /** The id of the item; for a record, its key. */
  id: string
  name: string
}

/**
 * Finds items of a space whose name contains a string, ignoring case. Within each kind, names that start with the
 * string come first.
 *
 * @param limit maximum number of items of each kind
 */
export const findItemsByName = async (
  db: Sql,
  spaceId: string,
  needle: string,
  limit: number,
): Promise<FoundItem[]> => {
  const named = (kind: FoundItem['kind'], table: string, id: string, name: string) => sql`(
    select ${sql.lit(kind)} as kind, ${sql.ref(id)} as id, ${sql.ref(name)} as name
    from ${sql.table(table)}
    where space_id = ${spaceId} and ${contains(sql.ref(name), needle)}
    order by not ${startsWith(sql.ref(name), needle)}, ${sql.ref(name)}
    limit ${limit})`
  const { rows } = await sql<FoundItem>`
    ${named('page', 'pages', 'id', 'slug')}
    union all ${named('part', 'parts', 'id', 'name')}
    union all ${named('record', 'data_records', 'key', 'key')}
    union all ${named('file', 'files', 'id', 'name')}`.execute(db)
  return rows
}
