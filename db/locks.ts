import type { Database, Sql } from './database.ts'
import { violatedConstraint } from './errors.ts'
import { commitTogether } from './group-commit.ts'
import { lockAccount } from './queries/accounts.ts'
import { lockMembership } from './queries/spaces.ts'
import { beginWrite } from './queries/writes.ts'
import { WriteQueue } from './queue.ts'
import { type Author, type Operation, SpaceWrite } from './space-write.ts'
import { type CallerCheck, checked, inTransaction, type Transaction } from './transaction.ts'

/** The row that a write had to lock no longer exists. */
export class MissingRowError extends Error {
  override name = 'MissingRowError'
  readonly table: 'spaces' | 'accounts'

  constructor(table: 'spaces' | 'accounts') {
    super(`The row to lock in ${table} no longer exists`)
    this.table = table
  }
}

type Work<T> = (tx: Transaction) => Promise<T>

/** Queues the writes of this process, by the row that they lock. */
const queue = new WriteQueue<Work<unknown>>()

/**
 * Maximum number of transactions of one account that write to different spaces at once. An account can own a thousand
 * spaces, and without this limit its writes could take all connections of the pool.
 */
const WRITES_PER_ACCOUNT = 4

/** Queues the transactions of each account that write to different spaces. */
const ofAccount = new WriteQueue()

/** One of the places of an account. Ids are random, so their last characters distribute spaces evenly. */
const placeOf = ({ accountId }: Author, spaceId: string) =>
  `${accountId} ${spaceId.charCodeAt(spaceId.length - 1) % WRITES_PER_ACCOUNT}`

/**
 * Runs a write to a site's content in a transaction. The transaction locks the space and increments the revision of the
 * space. Writes that wait for the same space share one transaction, but each has a revision of its own. If a write fails,
 * the others are not affected.
 *
 * @param author recorded in the space's history with each change
 * @param check checks once more, under the lock, that the author may write. Every write of a shared transaction is
 * checked on its own.
 * @param change does the write, under the same rules as `work` of {@link inTransaction}. The first statement of the
 * write is sent together with the statement that locks the space, and runs after that statement.
 * @param options `operation`: the restore, undo or import that the write belongs to; absent for an ordinary write.
 * `claim`: sent first, before the statement that locks the space; see {@link CallerCheck}
 * @throws MissingRowError when the space was deleted
 */
export const withSpaceLocked = <T>(
  database: Database,
  spaceId: string,
  author: Author,
  check: CallerCheck,
  change: (write: SpaceWrite) => Promise<T>,
  { operation, claim }: { operation?: Operation | undefined; claim?: CallerCheck | undefined } = {},
): Promise<T> => {
  const begun = checked((sql: Transaction) => {
    const revision = beginWrite(sql, spaceId, author, operation)
    const work = checked((sql: Transaction) => change(new SpaceWrite(sql, spaceId, author, revision)), check)
    return afterLock(requireRow('spaces', revision), work, sql)
  }, claim)
  return queue
    .share(spaceId, begun, take => {
      const commit = () => commitTogether(database, begun, take)
      // An import or undo can take many seconds, and an account runs only one of them at a time.
      return operation ? commit() : ofAccount.run(placeOf(author, spaceId), commit)
    })
    .catch((error: unknown) => {
      throw IN_DIRECTORY.has(violatedConstraint(error)) ? new MissingRowError('spaces') : error
    })
}

/**
 * A write to content can also insert rows into the directory. These are the foreign keys with which such rows refer
 * to the space. If a write violates one of them, the space was deleted. Its content can still exist then, because a
 * space is deleted from the directory first.
 */
const IN_DIRECTORY = new Set<string | undefined>(['origins_space_id_foreign', 'icons_space_id_foreign'])

/**
 * Runs a write to a space's participants, keys or invitations in one transaction, which locks the space without
 * changing its revision.
 *
 * @param check checks once more, under the lock, that the caller may write; absent if no caller requested the write
 * @throws MissingRowError when the space was deleted
 */
export const withMembershipLocked = <T>(
  database: Database,
  spaceId: string,
  work: Work<T>,
  check?: CallerCheck,
): Promise<T> =>
  queue.run(spaceId, () =>
    inLockedTransaction(database, 'spaces', sql => lockMembership(sql, spaceId), checked(work, check)),
  )

/**
 * Runs a write to an account's own data (profile, tokens, passkeys, sessions) in one transaction, which locks the
 * account.
 *
 * @param check checks once more, under the lock, that the caller may write; absent if no caller requested the write
 * @param claim sent first, before the statement that locks the account; see {@link CallerCheck}
 * @throws MissingRowError when the account was deleted
 */
export const withAccountLocked = <T>(
  database: Database,
  accountId: string,
  work: Work<T>,
  check?: CallerCheck,
  claim?: CallerCheck,
): Promise<T> =>
  queue.run(accountId, () =>
    inLockedTransaction(
      database,
      'accounts',
      sql => lockAccount(sql, accountId),
      checked(work, check),
      claim,
    ),
  )

/** Runs a transaction that sends the lock statement together with the first statement of `work`. */
const inLockedTransaction = <T>(
  database: Database,
  table: MissingRowError['table'],
  lock: (sql: Sql) => Promise<boolean>,
  work: Work<T>,
  claim?: CallerCheck,
): Promise<T> => inTransaction(database, sql => afterLock(requireRow(table, lock(sql)), work, sql), claim)

/** @param locked the statement that locks the row; already sent, but not necessarily answered */
const afterLock = async <T>(locked: Promise<void>, work: Work<T>, sql: Transaction): Promise<T> => {
  locked.catch(() => {})
  // If the row to lock is missing, `work` can fail because of that. Report the missing row instead.
  const result = await work(sql).catch(async (error: unknown) => {
    await locked
    throw error
  })
  await locked
  return result
}

const requireRow = async (table: MissingRowError['table'], found: Promise<unknown>): Promise<void> => {
  if (!(await found)) throw new MissingRowError(table)
}
