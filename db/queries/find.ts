import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../orm.ts'

// These searches run while a person types. Each reads only names, and at most as many rows as one owner can have.

const contains = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`position(lower(${needle}) in lower(${column})) > 0`

const startsWith = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`starts_with(lower(${column}), lower(${needle}))`

/**
 * Finds spaces of an account whose subdomain or name contains a text, ignoring case. Those that start with the text
 * come first, then those that the account changed or joined most recently.
 *
 * @param needle empty to find all spaces
 */
export const findSpacesOfAccount = async (db: Sql, accountId: string, needle: string, limit: number) => {
  const subdomain = sql.ref('space.subdomain')
  const name = sql.ref('space.name')
  const { rows } = await sql<{ subdomain: string; name: string; icon_id: string | null }>`
    select space.subdomain, space.name, icon.id as icon_id
    from participants as participant
    join space_names as space on space.id = participant.space_id
    left join icons as icon on icon.space_id = space.id
    left join lateral (
      select at from changes where space_id = space.id and actor = ${accountId}
      order by revision desc, position desc
      limit 1
    ) as change on true
    where participant.account_id = ${accountId}
      and (${contains(subdomain, needle)} or ${contains(name, needle)})
    order by
      ${startsWith(subdomain, needle)} or ${startsWith(name, needle)} desc,
      coalesce(change.at, participant.joined_at) desc,
      space.subdomain
    limit ${limit}`.execute(db)
  return rows
}

/** An item of a space that was found by its name. */
export interface FoundItem {
  kind: 'page' | 'part' | 'record' | 'file'
  /** The id of the item; for a record, its key. */
  id: string
  name: string
}

/**
 * Finds items of a space whose name contains a text, ignoring case. Within each kind, names that start with the text
 * come first.
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
