import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** The pages, parts and records of a space whose text contains a URL, with any scheme or without one. */
export const findUrlUses = async (db: Sql, spaceId: string, url: string) => {
  const needle = url.slice(url.indexOf('//'))
  const [pages, parts, records] = [
    await db
      .selectFrom('pages')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in html) > 0`)
      .select(['id', 'slug'])
      .orderBy('slug')
      .execute(),
    await db
      .selectFrom('parts')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in html) > 0`)
      .select(['id', 'name'])
      .orderBy('name')
      .execute(),
    await db
      .selectFrom('data_records')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in value) > 0`)
      .select('key')
      .orderBy('key')
      .execute(),
  ]
  return { pages, parts, records }
}
