import type { Database, Sql } from '../../db/database.ts'
import { withAccountLocked } from '../../db/locks.ts'
import {
  checkParticipant,
  checkSession,
  checkSpaceKey,
  checkUserToken,
} from '../../db/queries/caller-checks.ts'
import { type CallerCheck, inTransaction, sendLastOf, type Transaction } from '../../db/transaction.ts'
import type { SessionActor, SpaceKeyActor, UserTokenActor } from './actor.ts'
import type { KeyedCall } from './context.ts'
import type { Meta } from './trpc.ts'

/**
 * The checks below repeat what the base procedures check before the body of a request is read. They run in the
 * transaction of the write, so that a call whose credential ends while its body arrives is refused like a later one.
 */

/** Checks that a key, or a session of a participant, may still write to a space. Only owners have keys. */
export const checkInSpace =
  (
    caller: SpaceKeyActor | SessionActor,
    spaceId: string,
    refusal: 'unauthorized' | 'sign_in_required',
    { scopes = [], ownersOnly }: Pick<Meta, 'scopes' | 'ownersOnly'> = {},
  ): CallerCheck =>
  sql =>
    caller.kind === 'space_key'
      ? checkSpaceKey(sql, caller.secretHash, scopes, new Date())
      : checkParticipant(sql, caller.tokenHash, spaceId, ownersOnly === true, refusal, new Date())

/** Checks that a token or session may still write as its account. */
export const checkAsAccount =
  (caller: UserTokenActor | SessionActor, { scopes = [], isRefusedWhileSuspended }: Meta = {}): CallerCheck =>
  sql =>
    caller.kind === 'user_token'
      ? checkUserToken(sql, caller.secretHash, scopes, isRefusedWhileSuspended ?? false, new Date())
      : checkSession(sql, caller.tokenHash, 'unauthorized', isRefusedWhileSuspended ?? false, new Date())

/** Checks that a session has not ended. */
export const checkSignedIn =
  ({ tokenHash }: Pick<SessionActor, 'tokenHash'>, { isRefusedWhileSuspended }: Meta = {}): CallerCheck =>
  sql =>
    checkSession(sql, tokenHash, 'sign_in_required', isRefusedWhileSuspended ?? false, new Date())

/** The ways in which a call can write. All of them check the caller once more. */
export interface CallersWrites {
  check: CallerCheck
  /** Runs a transaction. `work` may run more than once. */
  transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Runs one prepared statement as a transaction, in a single round trip. */
  statement: <T>(send: (sql: Sql) => Promise<T>) => Promise<T>
  /** Runs a transaction that has locked the caller's account. `work` may run more than once. */
  writeAccount: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
}

/**
 * Returns the ways in which a call can write.
 *
 * @param keyed set for a call with an `Idempotency-Key`
 */
export const callersWrites = (
  database: Database,
  accountId: string,
  check: CallerCheck,
  keyed?: KeyedCall,
): CallersWrites => {
  const inTurn: KeyedCall['inTurn'] = run => (keyed ? keyed.inTurn(run) : run())
  const first: CallerCheck = keyed ? sql => Promise.all([keyed.claim(sql), check(sql)]) : check
  return {
    check,
    transaction: work => inTurn(() => inTransaction(database, work, first)),
    statement: async send => {
      const sent = await inTurn(() =>
        inTransaction(database, async sql => sendLastOf(sql, () => send(sql)), first),
      )
      return sent.result
    },
    writeAccount: work => inTurn(() => withAccountLocked(database, accountId, work, check, keyed?.claim)),
  }
}
