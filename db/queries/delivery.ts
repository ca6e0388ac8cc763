import { sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import { PAGE_SUMMARY } from './pages.ts'
import { firstParticipant } from './participants.ts'

/** The site with this subdomain, which never changes, and its first participant. */
export const findSiteId = compileOnce(
  (db, subdomain: string) =>
    db
      .selectFrom('space_names')
      .where('subdomain', '=', subdomain)
      .select('id')
      .select(firstParticipant('space_names.id').as('account_id')),
  { isShared: true },
)

/** A site and one of its pages without the body, in one query; the page is null when no page has this slug. */
export const findSitePage = compileOnce(
  (db, spaceId: string, slug: string) =>
    db
      .selectFrom('spaces as space')
      .leftJoin('pages as page', join => join.on('page.space_id', '=', spaceId).on('page.slug', '=', slug))
      .where('space.id', '=', spaceId)
      .select([
        'space.id as space_id',
        'space.subdomain as subdomain',
        'space.main_host as main_host',
        'space.name as name',
        'space.created_at as created_at',
        'space.revision as revision',
        'page.id as page_id',
        'page.slug as slug',
        'page.kind as kind',
      ]),
  { isShared: true },
)

/** The id of a site's icon. */
export const findSiteIconId = compileOnce(
  (db, spaceId: string) => db.selectFrom('icons').where('space_id', '=', spaceId).select('id'),
  { isShared: true },
)

/** Finds a page and its site. Does not read the body of the page. */
export const findDeliveredPage = compileOnce(
  (db, spaceId: string, pageId: string) =>
    db
      .selectFrom('pages as page')
      .innerJoin('spaces as space', 'space.id', 'page.space_id')
      .where('page.space_id', '=', spaceId)
      .where('page.id', '=', pageId)
      .select([
        'space.id as space_id',
        'space.subdomain as subdomain',
        'space.main_host as main_host',
        'space.revision as revision',
        'page.id as page_id',
        'page.slug as slug',
        'page.kind as kind',
      ]),
  { isShared: true },
)

/**
 * Returns a page's body if its space is still at this revision. One statement reads the body and checks the revision.
 */
export const readPageBody = async (
  db: Sql,
  page: { space_id: string; page_id: string; revision: string },
): Promise<string | undefined> => {
  const row = await bodyAtRevision(db, page.space_id, page.page_id, page.revision)
  return row?.html
}

const bodyAtRevision = compileOnce((db, spaceId: string, pageId: string, revision: string) =>
  db
    .selectFrom('pages as page')
    .innerJoin('spaces as space', 'space.id', 'page.space_id')
    .where('page.space_id', '=', spaceId)
    .where('page.id', '=', pageId)
    .where('space.revision', '=', revision)
    .select('page.html as html'),
)

/**
 * A space's revision; undefined if the space was deleted. As long as the revision stays the same, the site's content
 * stays the same.
 */
export const findRevision = async (db: Sql, spaceId: string): Promise<string | undefined> =>
  (await revisionOf(db, spaceId))?.revision

const revisionOf = compileOnce(
  (db, spaceId: string) =>
    db.selectFrom('spaces').where('id', '=', spaceId).select(['revision', 'main_host']),
  { isShared: true },
)

/** A space's revision, and the domain of its main address at that revision; undefined if the space was deleted. */
export const findVersion = (db: Sql, spaceId: string) => revisionOf(db, spaceId)

/**
 * A text that changes whenever a part or a record of a space changes: what a page can print besides its own body and the
 * lists of pages and files.
 */
export const findSharedContentVersion = async (db: Sql, spaceId: string): Promise<string> =>
  (await sharedContentVersion(db, spaceId))!.version

const sharedContentVersion = compileOnce((db, spaceId: string) =>
  db.selectNoFrom(
    sql<string>`concat_ws(' ',
      (select concat(count(*), ' ', max(updated_at)) from parts where space_id = ${spaceId}),
      (select concat(count(*), ' ', max(updated_at)) from data_records where space_id = ${spaceId}))`.as(
      'version',
    ),
  ),
)

/**
 * A range of a site's pages without their bodies, sorted by slug, or newest first (by slug if created in the same
 * millisecond).
 */
export const listSitePages = (
  db: Sql,
  spaceId: string,
  { order, offset, limit }: { order: 'slug' | 'newest'; offset: number; limit: number },
) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .select(PAGE_SUMMARY)
    .$if(order === 'newest', query => query.orderBy('created_at', 'desc'))
    .orderBy('slug')
    .offset(offset)
    .limit(limit)
    .execute()

/** The number of a site's pages. */
export const countSitePages = async (db: Sql, spaceId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Reads everything that a space's templates can use, and one of its pages (null when no page has this id). One
 * statement reads it all, so that everything has the same revision.
 */
export const readSpaceContent = async (db: Sql, spaceId: string, pageId: string) => {
  const { rows } = await sql<{
    name: string
    subdomain: string
    main_host: string | null
    revision: string
    page: { slug: string; html: string } | null
    pages: string[]
    files: { id: string; name: string; content_type: string; size: number }[]
    data: { key: string; value: string }[]
    parts: { name: string; html: string }[]
  }>`
    select
      space.name,
      space.subdomain,
      space.main_host,
      space.revision,
      (select json_build_object('slug', page.slug, 'html', page.html)
        from pages as page where page.space_id = ${spaceId} and page.id = ${pageId}) as page,
      (select coalesce(json_agg(page.slug order by page.slug), '[]')
        from pages as page where page.space_id = ${spaceId}) as pages,
      (select coalesce(json_agg(json_build_object(
          'id', file.id, 'name', file.name, 'content_type', file.content_type, 'size', file.size
        ) order by file.created_at desc, file.position desc), '[]')
        from files as file where file.space_id = ${spaceId}) as files,
      (select coalesce(json_agg(json_build_object('key', record.key, 'value', record.value) order by record.key), '[]')
        from data_records as record where record.space_id = ${spaceId}) as data,
      (select coalesce(json_agg(json_build_object('name', part.name, 'html', part.html)), '[]')
        from parts as part where part.space_id = ${spaceId}) as parts
    from spaces as space where space.id = ${spaceId}`.execute(db)
  return rows[0]
}

/** A file's metadata for delivery, without its bytes. */
export const findDeliveredFile = compileOnce(
  (db, spaceId: string, fileId: string) =>
    db
      .selectFrom('files')
      .where('space_id', '=', spaceId)
      .where('id', '=', fileId)
      .select(['space_id', 'id', 'name', 'content_type', 'size', 'digest', 'created_at', 'updated_at']),
  { isShared: true },
)

const findFileBytes = compileOnce(
  (db, spaceId: string, fileId: string, digest: Buffer, position: number, length: number) =>
    db
      .selectFrom('files as file')
      .innerJoin('blobs as blob', join =>
        join.onRef('blob.space_id', '=', 'file.space_id').onRef('blob.digest', '=', 'file.digest'),
      )
      .where('file.space_id', '=', spaceId)
      .where('file.id', '=', fileId)
      .where('file.digest', '=', digest)
      // The driver receives all values as text. For bytes, base64 takes a tenth of the processor time of hex, the
      // default.
      .select([
        'blob.object',
        sql<
          string | null
        >`encode(substring(blob.bytes from ${position}::int for ${length}::int), 'base64')`.as('base64'),
      ]),
)

/**
 * Reads a range of a file's bytes. PostgreSQL loads only this range, because the column is stored uncompressed.
 *
 * @returns the bytes. If the file store has the bytes, returns the id of the object there. If the file was deleted or
 * its SHA-256 is no longer `file.digest`, returns undefined, so that a response never mixes two versions of the file.
 */
export const readFileBytes = async (
  db: Sql,
  file: { space_id: string; id: string; digest: Buffer },
  from: number,
  length: number,
): Promise<Buffer | { object: string } | undefined> => {
  const row = await findFileBytes(db, file.space_id, file.id, file.digest, from + 1, length)
  if (!row) return undefined
  return row.object === null ? Buffer.from(row.base64!, 'base64') : { object: row.object }
}
