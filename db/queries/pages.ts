import type { Insertable } from 'kysely'
import { compileOnce, compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'
import { deleteOrigin, insertOrigin } from './spaces.ts'

const SUMMARY = ['id', 'slug', 'kind', 'created_at', 'updated_at'] as const

/** A space's pages, sorted by slug, without their bodies. */
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

/** A page, for a write that changes it. */
export const findPageToChange = compileOnce((db, spaceId: string, id: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select([...SUMMARY, 'html', 'includes']),
)

type NewPage = Omit<Required<Insertable<Tables['pages']>>, 'space_id'>

/** The id of the page with this slug. */
export const findPageBySlug = (db: Sql, spaceId: string, slug: string) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirst()

/**
 * Inserts a page.
 *
 * @throws a violation of `pages_slug_unique` when the slug is taken
 */
export const insertPage = ({ sql: db, spaceId }: SpaceWrite, page: NewPage): Promise<unknown> =>
  Promise.all([insertOrigin(db, spaceId, 'page', page.id), insertPageRow(db, { ...page, spaceId })])

const insertPageRow = preparedRows((db, page: NewPage & { spaceId: string }) =>
  db.insertInto('pages').values({
    space_id: page.spaceId,
    id: page.id,
    slug: page.slug,
    kind: page.kind,
    html: page.html,
    includes: page.includes,
    created_at: page.created_at,
    updated_at: page.updated_at,
  }),
)

/** The fields that a change to a page can set. If `body` is undefined, the page keeps its body, which can be long. */
type PageChange = Pick<NewPage, 'slug' | 'kind' | 'updated_at'> & {
  body?: Pick<NewPage, 'html' | 'includes'> | undefined
}

/**
 * Updates the given fields of a page.
 *
 * @throws a violation of `pages_slug_unique` when the slug is taken
 */
export const updatePage = (
  { sql: db, spaceId }: SpaceWrite,
  id: string,
  { body, ...head }: PageChange,
): Promise<unknown> =>
  body ? updateWholePage(db, { spaceId, id, ...head, ...body }) : updatePageHead(db, { spaceId, id, ...head })

type Placed<Fields> = Fields & { spaceId: string; id: string }

const updatePageHead = preparedRows((db, page: Placed<Omit<PageChange, 'body'>>) =>
  db
    .updateTable('pages')
    .set({ slug: page.slug, kind: page.kind, updated_at: page.updated_at })
    .where('space_id', '=', page.spaceId)
    .where('id', '=', page.id),
)

const updateWholePage = preparedRows((db, page: Placed<Omit<NewPage, 'id' | 'created_at'>>) =>
  db
    .updateTable('pages')
    .set({
      slug: page.slug,
      kind: page.kind,
      updated_at: page.updated_at,
      html: page.html,
      includes: page.includes,
    })
    .where('space_id', '=', page.spaceId)
    .where('id', '=', page.id),
)

/**
 * Deletes a page.
 *
 * @returns its slug; undefined if there was no such page
 */
export const deletePage = async (
  { sql: db, spaceId }: SpaceWrite,
  id: string,
): Promise<string | undefined> => {
  const [, deleted] = await Promise.all([
    deleteOrigin(db, spaceId, 'page', id),
    deletePageRow(db, spaceId, id),
  ])
  return deleted?.slug
}

const deletePageRow = compileOnce((db, spaceId: string, id: string) =>
  db.deleteFrom('pages').where('space_id', '=', spaceId).where('id', '=', id).returning('slug'),
)
