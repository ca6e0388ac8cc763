import { type Insertable, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import type { SpaceWrite } from '../space-write.ts'
import { changeWithEntry } from './change-with-entry.ts'
import { both, digestOfBody, recordChange, recordDeletion } from './changes.ts'
import { createWithEntry } from './create-with-entry.ts'
import { deleteOrigin } from './origins.ts'

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
export const insertPage = (write: SpaceWrite, page: NewPage): Promise<unknown> => {
  const { id, slug, kind, html, includes, created_at, updated_at } = page
  return createPage(
    write,
    id,
    { fields: { name: slug, kind, includes, created_at }, digest: digestOfBody(html) },
    slug,
    kind,
    html,
    includes,
    created_at,
    updated_at,
  )
}

const createPage = createWithEntry(
  'page',
  (
    db,
    space_id: string,
    id: string,
    slug: string,
    kind: NewPage['kind'],
    html: string,
    includes: NewPage['includes'],
    created_at: NewPage['created_at'],
    updated_at: NewPage['updated_at'],
  ) => db.insertInto('pages').values({ space_id, id, slug, kind, html, includes, created_at, updated_at }),
)

/**
 * The fields that a change to a page can set. If `body` is undefined or has the stored text, the statement does
 * not write the body, which can be long.
 */
type PageChange = Pick<NewPage, 'slug' | 'kind' | 'updated_at'> & {
  body?: Pick<NewPage, 'html' | 'includes'> | undefined
}

/**
 * Updates the given fields of a page.
 *
 * @param before the stored page, as read while the space is locked
 *
 * @throws a violation of `pages_slug_unique` when the slug is taken
 */
export const updatePage = (
  write: SpaceWrite,
  before: Pick<NewPage, 'id' | 'slug' | 'kind' | 'html' | 'includes' | 'created_at'>,
  { slug, kind, updated_at, body }: PageChange,
): Promise<unknown> => {
  const { id } = before
  if (body && body.html !== before.html) {
    const { html, includes } = body
    const fields = {
      name: before.slug,
      kind: before.kind,
      includes: before.includes,
      created_at: before.created_at,
    }
    return changePage(
      write,
      id,
      {
        before: { fields, digest: digestOfBody(before.html) },
        after: { name: slug, kind, includes },
        digest: digestOfBody(html),
      },
      slug,
      kind,
      updated_at,
      html,
      includes,
    )
  }
  // The body of the page stays the same, so the page still includes the same parts.
  return both(
    recordChange(write, {
      kind: 'page',
      thing: id,
      action: kind === before.kind ? 'rename' : 'change',
      after: { name: slug, kind },
      body: 'same',
    }),
    updatePageHead(write.sql, write.spaceId, id, slug, kind, updated_at),
  )
}

const updatePageHead = compileOnceRows(
  (db, spaceId: string, id: string, slug: string, kind: NewPage['kind'], updated_at: NewPage['updated_at']) =>
    db
      .updateTable('pages')
      .set({ slug, kind, updated_at })
      .where('space_id', '=', spaceId)
      .where('id', '=', id),
)

const changePage = changeWithEntry(
  'page',
  { table: 'pages', id: 'id', text: 'html' },
  (
    spaceId: string,
    id: string,
    slug: string,
    kind: NewPage['kind'],
    updatedAt: NewPage['updated_at'],
    html: string,
    includes: NewPage['includes'],
  ) => sql`
    update pages
    set slug = ${slug}, kind = ${kind}, updated_at = ${updatedAt}, html = ${html}, includes = ${includes}
    where space_id = ${spaceId} and id = ${id}`,
)

/**
 * Deletes a page.
 *
 * @returns its slug; undefined if there was no such page
 */
export const deletePage = async (write: SpaceWrite, id: string): Promise<string | undefined> => {
  const { sql: db, spaceId } = write
  const [, , deleted] = await Promise.all([
    recordDeletion(write, 'page', id),
    deleteOrigin(db, spaceId, 'page', id),
    deletePageRow(db, spaceId, id),
  ])
  return deleted?.slug
}

const deletePageRow = compileOnce((db, spaceId: string, id: string) =>
  db.deleteFrom('pages').where('space_id', '=', spaceId).where('id', '=', id).returning('slug'),
)
