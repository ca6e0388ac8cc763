import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../orm.ts'

/** Makes all queries of a transaction see the same snapshot of the database. Call it first in the transaction. */
export const seeOneMoment = (db: Sql): Promise<unknown> =>
  sql`set transaction isolation level repeatable read, read only`.execute(db)

/** A space's files in the order of their creation, with the digests of their bytes. */
export const listFilesWithDigests = compileOnceRows((db, spaceId: string) =>
  db
    .selectFrom('files')
    .where('space_id', '=', spaceId)
    .select(['id', 'name', 'size', 'digest', 'updated_at'])
    .orderBy('created_at')
    .orderBy('position'),
)

/** Returns those of the given ids that belong or belonged to a file of the space, according to its history. */
export const listFormerFileIds = async (
  db: Sql,
  spaceId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('changes')
    .where('space_id', '=', spaceId)
    .where('kind', '=', 'file')
    .where('thing', 'in', [...ids, ''])
    .select('thing')
    .distinct()
    .execute()
  return rows.map(({ thing }) => thing)
}

/** The bytes with this digest. */
export const findBytes = compileOnce((db, spaceId: string, digest: Uint8Array) =>
  db
    .selectFrom('blobs')
    .where('space_id', '=', spaceId)
    .where('digest', '=', digest as Buffer)
    .select('bytes'),
)
