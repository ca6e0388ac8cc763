import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** A text that contains what is searched for. */
export interface FoundText {
  kind: 'page' | 'part' | 'record' | 'file'
  id: string
  name: string
  field: 'name' | 'html' | 'value' | 'description'
  text: string
}

/**
 * Finds the names and bodies in a space that contain a text, ignoring case; by kind and name.
 *
 * @param kinds the kinds of items to search
 */
export const findTexts = async (
  db: Sql,
  spaceId: string,
  needle: string,
  kinds: readonly FoundText['kind'][],
  limit: number,
): Promise<FoundText[]> => {
  const { rows } = await sql<FoundText>`
    select * from (
      select 'page' as kind, id, slug as name, 'name' as field, slug as text from pages where space_id = ${spaceId}
      union all select 'page', id, slug, 'html', html from pages where space_id = ${spaceId}
      union all select 'part', id, name, 'name', name from parts where space_id = ${spaceId}
      union all select 'part', id, name, 'html', html from parts where space_id = ${spaceId}
      union all select 'record', key, key, 'name', key from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'value', value from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'description', description from data_records where space_id = ${spaceId}
      union all select 'file', id, name, 'name', name from files where space_id = ${spaceId}
    ) as item
    where kind = any(${kinds}::text[]) and position(lower(${needle}) in lower(text)) > 0
    order by kind, name, id, field
    limit ${limit}`.execute(db)
  return rows
}
