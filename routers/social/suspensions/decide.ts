import type { Sql } from '../../../db/database.ts'
import { MissingRowError, withAccountLocked } from '../../../db/locks.ts'
import { findAccountByHandle } from '../../../db/queries/accounts.ts'
import { type AuditKind, insertAuditEvents } from '../../../db/queries/audit.ts'
import { notifyOfDecision } from '../../../db/queries/notifications.ts'
import { liftSuspension, suspendAccount } from '../../../db/queries/suspensions.ts'
import type { CallerCheck } from '../../../db/transaction.ts'
import type { Context } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { isOperator } from '../../api/signed-in.ts'

interface Operator extends Pick<Context, 'core' | 'reference'> {
  session: { accountId: string }
  check: CallerCheck
}

const accountOf = async ({ core }: Operator, handle: string) => {
  const account = await findAccountByHandle(core.database, handle)
  if (!account) throw new Problem('account_not_found', { detail: `Nobody has the handle ${handle}.` })
  return account
}

/** Records a decision in two audit logs: in the account's, without naming the operator, and in the operator's own. */
const record = async (
  sql: Sql,
  { session }: Operator,
  account: { id: string; handle: string },
  kind: Extract<AuditKind, 'account_suspended' | 'suspension_lifted'>,
): Promise<void> => {
  const event = { kind, actorLabel: null }
  await insertAuditEvents(sql, [
    { ...event, owner: { accountId: account.id }, actor: null, details: {} },
    {
      ...event,
      owner: { accountId: session.accountId },
      actor: session.accountId,
      details: { label: account.handle },
    },
  ])
}

/**
 * Runs a decision about an account under that account's lock.
 *
 * @throws `account_not_found` if the account has been deleted
 */
const decide = (
  operator: Operator,
  { id, handle }: { id: string; handle: string },
  work: (sql: Sql, now: Date) => Promise<void>,
): Promise<void> =>
  withAccountLocked(operator.core.database, id, sql => work(sql, new Date()), operator.check).catch(
    (error: unknown) => {
      throw error instanceof MissingRowError
        ? new Problem('account_not_found', { detail: `The account ${handle} was deleted.` })
        : error
    },
  )

/**
 * Suspends an account, or replaces the reason of its suspension.
 *
 * @param reason shown to the person
 * @throws `account_not_found`, or `operator_account` if the account belongs to an operator, such as the caller
 */
export const suspend = async (operator: Operator, handle: string, reason: string): Promise<void> => {
  const account = await accountOf(operator, handle)
  if (isOperator(operator.core, account.handle)) throw new Problem('operator_account')
  await decide(operator, account, async (sql, now) => {
    await suspendAccount(sql, account.id, reason, now)
    await notifyOfDecision(sql, account.id, 'suspended', reason, now)
    await record(sql, operator, account, 'account_suspended')
  })
  log(operator, account, 'an operator suspended an account')
}

/** Lifts the suspension of an account. @throws `account_not_found`, or `not_suspended` */
export const lift = async (operator: Operator, handle: string): Promise<void> => {
  const account = await accountOf(operator, handle)
  await decide(operator, account, async (sql, now) => {
    if (!(await liftSuspension(sql, account.id))) throw new Problem('not_suspended')
    await notifyOfDecision(sql, account.id, 'suspension_lifted', null, now)
    await record(sql, operator, account, 'suspension_lifted')
  })
  log(operator, account, 'an operator lifted the suspension of an account')
}

/** Writes a warning, which is logged even if request logging is off. */
const log = ({ core, reference, session }: Operator, { id }: { id: string }, message: string) =>
  core.log.warn({ reference, operator_id: session.accountId, account_id: id }, message)
