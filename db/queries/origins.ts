import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import { firstParticipant } from './first-participant.ts'

export type OriginKind = Tables['origins']['kind']

/** The space of the page or file with this id, and its first participant. */
export const findOrigin = compileOnce(
  (db, kind: OriginKind, id: string) =>
    db
      .selectFrom('origins')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .select('space_id')
      .select(firstParticipant('origins.space_id').as('account_id')),
  { isShared: true },
)

/** Whether items of this kind have an origin. */
export const hasOrigin = (kind: string): kind is OriginKind => kind === 'page' || kind === 'file'

/**
 * Inserts the origin of a page or file. Does nothing if the origin exists already. With distributed content, the origin
 * of a deleted page or file can remain. This happens if the coordinator stops during the deletion.
 */
export const insertOrigin = compileOnceRows((db, spaceId: string, kind: OriginKind, id: string) =>
  db
    .insertInto('origins')
    .values({ id, kind, space_id: spaceId })
    .onConflict(conflict => conflict.column('id').doNothing()),
)

/** Like {@link insertOrigin}, for several pages or files. */
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
