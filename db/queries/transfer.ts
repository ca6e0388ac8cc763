import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'

/** What the listing of a space says about the space itself. */
export const findListedSpace = compileOnce((db, spaceId: string) =>
  db.selectFrom('spaces').where('id', '=', spaceId).select(['subdomain', 'main_host', 'name', 'revision']),
)

/** A space's files in the order of their creation, with the digests of their bytes. */
export const listFilesWithDigests = compileOnceRows((db, spaceId: string) =>
  db
    .selectFrom('files')
    .where('space_id', '=', spaceId)
    .select(['id', 'name', 'size', 'digest', 'updated_at'])
    .orderBy('created_at')
    .orderBy('position'),
)

/** Checks which of the given ids belong, or once belonged, to a file of the space. Returns only these ids. */
export const listFormerFileIds = async (
  db: Sql,
  spaceId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ thing: string }>`
    select distinct thing from changes
    where space_id = ${spaceId} and kind = 'file' and thing = any(${ids}::text[])`.execute(db)
  return rows.map(({ thing }) => thing)
}

/** SHA-256 of the bodies of some pages, by the id of the page. */
export const digestsOfPages = async (
  db: Sql,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, Buffer>> => {
  const { rows } = await sql<{ id: string; digest: Buffer }>`
    select id, sha256(convert_to(html, 'UTF8')) as digest
    from pages where space_id = ${spaceId} and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, digest }) => [id, digest]))
}

/** The parts of a space with their bodies, sorted by name. */
export const listPartBodies = (db: Sql, spaceId: string) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .select(['id', 'name', 'html', 'includes', 'length', 'updated_at'])
    .orderBy('name')
    .execute()
