import type { Sql } from '../../../db/orm.ts'
import { recordEvent } from '../../access/audit.ts'
import type { Actor } from '../../core/actor.ts'
import type { UserScope } from '../../core/scopes.ts'
import { type Choice, issue } from '../issue.ts'
import { rotate } from '../rotate.ts'
import { tokenStore } from './store.ts'

/**
 * Issues a token that acts as the account.
 *
 * @param write runs the transaction, with the account locked
 * @param actor recorded in the audit log
 * @throws `too_many_tokens`, MissingRowError
 */
export const issueToken = (
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  accountId: string,
  choice: Choice<UserScope>,
  actor: Actor,
) =>
  write(async sql => {
    const token = await issue(tokenStore(sql, accountId), choice)
    await recordEvent(sql, { accountId }, 'token_issued', actor, about(token))
    return token
  })

/**
 * Rotates a token of the account. Connected apps refresh their own tokens instead.
 *
 * @param write runs the transaction, with the account locked
 * @param overlap in seconds
 * @throws MissingRowError, and what `rotate` throws
 */
export const rotateToken = (
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  accountId: string,
  tokenId: string,
  overlap: number,
  actor: Actor,
) =>
  write(async sql => {
    const token = await rotate(tokenStore(sql, accountId), tokenId, overlap)
    await recordEvent(sql, { accountId }, 'token_rotated', actor, about(token))
    return token
  })

/** What the audit log says about a token. */
const about = ({ label, scopes }: { label: string; scopes: readonly string[] }) => ({ label, scopes })
