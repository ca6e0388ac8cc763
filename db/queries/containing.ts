import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/**
 * The pages of a space whose body contains a text, exactly as it is written; sorted by slug, with the length of the
 * body.
 */
export const listPagesContaining = (db: Sql, spaceId: string, text: string, limit: number) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`position(${text} in html) > 0`)
    .select(['id', 'slug', sql<number>`length(html)`.as('length')])
    .orderBy('slug')
    .limit(limit)
    .execute()

/** The parts of a space whose body contains a text, exactly as it is written; sorted by name. */
export const listPartsContaining = (db: Sql, spaceId: string, text: string, limit: number) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`position(${text} in html) > 0`)
    .select(['id', 'name', 'length'])
    .orderBy('name')
    .limit(limit)
    .execute()
