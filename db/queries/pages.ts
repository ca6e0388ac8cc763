import type { Insertable, Updateable } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

const SUMMARY = ['id', 'slug', 'kind', 'created_at', 'updated_at'] as const

/** A space's pages by slug, without their bodies. */
export const listPages = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('pages').where('space_id', '=', spaceId).select(SUMMARY).orderBy('slug'),
)

export const findPage = compileOnce((db, spaceId: string, id: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select([...SUMMARY, 'html']),
)

/** @throws a violation of `pages_slug_unique` */
export const insertPage = (db: Sql, page: Insertable<Tables['pages']>) =>
  db.insertInto('pages').values(page).returning(SUMMARY).executeTakeFirstOrThrow()

/** @throws a violation of `pages_slug_unique` */
export const updatePage = (db: Sql, spaceId: string, id: string, change: Updateable<Tables['pages']>) =>
  db
    .updateTable('pages')
    .set(change)
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning(SUMMARY)
    .executeTakeFirstOrThrow()

/** @returns whether there was such a page */
export const deletePage = async (db: Sql, spaceId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('pages')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
