import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/**
 * The pages, parts and records of a space in whose text `words` stand, compared without regard to scheme.
 *
 * @param url an address; what stands after its `//` is looked for
 */
export const findMentions = async (db: Sql, spaceId: string, url: string) => {
  const words = url.slice(url.indexOf('//'))
  const [pages, parts, records] = [
    await db
      .selectFrom('pages')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${words} in html) > 0`)
      .select(['id', 'slug'])
      .orderBy('slug')
      .execute(),
    await db
      .selectFrom('parts')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${words} in html) > 0`)
      .select(['id', 'name'])
      .orderBy('name')
      .execute(),
    await db
      .selectFrom('data_records')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${words} in value) > 0`)
      .select('key')
      .orderBy('key')
      .execute(),
  ]
  return { pages, parts, records }
}
