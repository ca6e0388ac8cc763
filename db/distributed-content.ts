import type { Orm, Sql } from './orm.ts'

/** Databases with distributed content, and their open transactions. */
const distributed = new WeakSet<Orm | Sql>()

/**
 * Declares that the content of spaces is on other servers than the directory. A statement that writes to a table in a
 * `with` clause then involves all servers, and fails while one of them is down. So writes to one space use two
 * statements instead, which take a little longer on one server.
 */
export const markDistributed = (db: Orm | Sql): void => void distributed.add(db)

/** Whether the content of spaces is on other servers than the directory. */
export const isDistributed = (db: Orm | Sql): boolean => distributed.has(db)
