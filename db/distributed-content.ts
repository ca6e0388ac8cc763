import type { Orm, Sql } from './orm.ts'

/** Databases with distributed content, and their open transactions. */
const distributed = new WeakSet<Orm | Sql>()

/**
 * Declares that the content of spaces is on content servers, not on the server of the directory. Then, a statement that
 * writes to a table in a `with` clause involves all servers, and fails while one of them is down. Writes to one space
 * therefore use two statements, which would be a little slower if all content was on one server.
 */
export const markDistributed = (db: Orm | Sql): void => void distributed.add(db)

/** Whether the content of spaces is on content servers, not on the server of the directory. */
export const isDistributed = (db: Orm | Sql): boolean => distributed.has(db)
