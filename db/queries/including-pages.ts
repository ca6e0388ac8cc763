import { sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

/** Pages that include one of these parts by literal name, directly or through other parts; sorted by slug. */
export const listPagesIncluding = async (
  db: Sql,
  spaceId: string,
  names: readonly string[],
): Promise<Pick<Tables['pages'], 'id' | 'slug' | 'kind'>[]> => {
  const { rows } = await sql<Pick<Tables['pages'], 'id' | 'slug' | 'kind'>>`
    with recursive reached (name) as (
      select name collate "C" from unnest(${names}::text[]) as given (name)
      union
      select part.name::text from parts as part, reached
      where part.space_id = ${spaceId} and part.includes @> array[reached.name]::text[]
    )
    select page.id, page.slug, page.kind from pages as page
    where page.space_id = ${spaceId} and page.includes && array(select name from reached)::text[]
    order by page.slug`.execute(db)
  return rows
}
