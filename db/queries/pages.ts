import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { columnsOf } from './item-rows.ts'

/** The columns of a page without its body. */
export const PAGE_SUMMARY = columnsOf('page', ['html', 'includes'])

/** A space's pages, sorted by slug, without their bodies. */
export const listPages = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('pages').where('space_id', '=', spaceId).select(PAGE_SUMMARY).orderBy('slug'),
)

export const findPage = compileOnce((db, spaceId: string, id: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select([...PAGE_SUMMARY, 'html']),
)

/** The slugs of the pages with these ids. */
export const findSlugs = (db: Sql, spaceId: string, ids: readonly string[]) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('id', 'in', ids.length === 0 ? [''] : ids)
    .select(['id', 'slug'])
    .execute()

/** The id of the page with this slug. */
export const findPageBySlug = (db: Sql, spaceId: string, slug: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirst()
