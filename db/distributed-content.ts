import type { Orm, Sql } from './orm.ts'

/** Databases with distributed content, and their open transactions. */
const distributed = new WeakSet<Orm | Sql>()

/**
 * Declares that the content of spaces is on content servers, not on the server of the directory. A statement
 * whose `with` clause writes to a table then involves all servers, and fails while one of them is down. So a
 * write to a space uses several statements. Without content servers, it uses one statement, which is a little
 * faster.
 */
export const markDistributed = (db: Orm | Sql): void => void distributed.add(db)

/** Whether the content of spaces is on content servers, not on the server of the directory. */
export const isDistributed = (db: Orm | Sql): boolean => distributed.has(db)
