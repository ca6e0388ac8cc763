import { type Sql, sqlOf } from '../../db/orm.ts'
import type { Core } from '../core/context.ts'

/**
 * Runs a read on the replica if there is one and it has the requested version, otherwise on the primary.
 *
 * @param read returns undefined if the server does not have that version
 */
export const replicaFirst = <T>(
  { orm, replica }: Core,
  read: (sql: Sql) => Promise<T | undefined>,
): Promise<T | undefined> => (replica ? replica.read(read) : read(sqlOf(orm)))
