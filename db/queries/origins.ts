import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

export type OriginKind = Tables['origins']['kind']

/** The space of the page or file with this id. */
export const findOrigin = compileOnce(
  (db, kind: OriginKind, id: string) =>
    db.selectFrom('origins').where('id', '=', id).where('kind', '=', kind).select('space_id'),
  { isShared: true },
)

/** Inserts the origin of a page or file, unless it exists. */
export const insertOrigin = compileOnceRows((db, spaceId: string, kind: OriginKind, id: string) =>
  db
    .insertInto('origins')
    .values({ id, kind, space_id: spaceId })
    // A process of the previous version keeps the origin when it deletes an item, so a restored item can have one
    // already.
    .onConflict(conflict => conflict.column('id').doNothing()),
)

/** Inserts the origins of several pages or files, unless they exist. */
export const insertOrigins = (db: Sql, spaceId: string, kind: OriginKind, ids: readonly string[]) =>
  sql`insert into origins (id, kind, space_id) select id, ${kind}, ${spaceId} from unnest(${ids}::text[]) as given (id)
    on conflict (id) do nothing`.execute(db)

/** Deletes the origin of a page or file. */
export const deleteOrigin = compileOnceRows((db, spaceId: string, kind: OriginKind, id: string) =>
  db.deleteFrom('origins').where('id', '=', id).where('kind', '=', kind).where('space_id', '=', spaceId),
)

/** Deletes the origins of several pages or files. */
export const deleteOrigins = (db: Sql, spaceId: string, kind: OriginKind, ids: readonly string[]) =>
  sql`delete from origins where id = any(${ids}::text[]) and kind = ${kind} and space_id = ${spaceId}`.execute(
    db,
  )
