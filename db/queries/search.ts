import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** A name or body that contains the search text. */
export interface FoundText {
  kind: 'page' | 'part' | 'record' | 'file'
  id: string
  name: string
  field: 'name' | 'html' | 'value' | 'description'
  text: string
}

/**
 * Finds the names and bodies in a space that contain a string, ignoring case; sorted by kind and name.
 *
 * @param kinds the kinds of items to search
 * @param limit maximum number of results
 * @param bytes maximum number of bytes to search: names first, then bodies by kind and name
 * @returns the results, and whether everything was searched
 */
export const findTexts = async (
  db: Sql,
  spaceId: string,
  needle: string,
  kinds: readonly FoundText['kind'][],
  { limit, bytes }: { limit: number; bytes: number },
): Promise<{ found: FoundText[]; isComplete: boolean }> => {
  const { rows } = await sql<(FoundText | { kind: null }) & { is_complete: boolean }>`
    with item as (
      select 'page' as kind, id, slug as name, 'name' as field, slug as text from pages where space_id = ${spaceId}
      union all select 'page', id, slug, 'html', html from pages where space_id = ${spaceId}
      union all select 'part', id, name, 'name', name from parts where space_id = ${spaceId}
      union all select 'part', id, name, 'html', html from parts where space_id = ${spaceId}
      union all select 'record', key, key, 'name', key from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'value', value from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'description', description from data_records where space_id = ${spaceId}
      union all select 'file', id, name, 'name', name from files where space_id = ${spaceId}
    ), sized as (
      select *, sum(octet_length(text)) over (order by field <> 'name', kind, name, id, field) as bytes_so_far
      from item where kind = any(${kinds}::text[])
    )
    select is_complete, found.*
    from (select coalesce(max(bytes_so_far), 0) <= ${bytes} as is_complete from sized) as sum
    left join lateral (
      select kind, id, name, field, text from sized
      where bytes_so_far <= ${bytes} and position(lower(${needle}) in lower(text)) > 0
      order by kind, name, id, field
      limit ${limit}
    ) as found on true`.execute(db)
  return {
    found: rows.filter(row => row.kind !== null),
    isComplete: rows.every(({ is_complete }) => is_complete),
  }
}
