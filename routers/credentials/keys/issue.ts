import type { CallerCheck } from '../../../db/caller-check.ts'
import { withMembershipLocked } from '../../../db/locks.ts'
import type { Orm, Sql } from '../../../db/orm.ts'
import { recordEvent } from '../../access/audit.ts'
import type { Actor } from '../../core/actor.ts'
import type { SpaceScope } from '../../core/scopes.ts'
import { type Choice, issue } from '../issue.ts'
import { rotate } from '../rotate.ts'
import { type Issuer, keyStore } from './store.ts'

/**
 * Issues a space key.
 *
 * @param actor recorded in the audit log; null for the operator's command
 * @param check checks the actor once more; absent for the operator's command
 * @throws `too_many_keys`, MissingRowError, or a violation of `space_keys_issuer_id_foreign`
 */
export const issueKey = (
  orm: Orm,
  issuer: Issuer,
  choice: Choice<SpaceScope>,
  actor: Actor | null,
  check?: CallerCheck,
) =>
  withMembershipLocked(
    orm,
    issuer.spaceId,
    async sql => {
      const key = await issue(keyStore(sql, issuer), choice)
      await recordEvent(sql, { spaceId: issuer.spaceId }, 'key_issued', actor, about(key))
      return key
    },
    check,
  )

/**
 * Rotates a space key. The participant who rotates the key becomes the issuer of the new key.
 *
 * @param write runs the transaction, with the space locked
 * @param overlap in seconds
 * @throws what `rotate` throws, MissingRowError, or a violation of `space_keys_issuer_id_foreign`
 */
export const rotateKey = (
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  issuer: Issuer,
  keyId: string,
  overlap: number,
  actor: Actor,
) =>
  write(async sql => {
    const key = await rotate(keyStore(sql, issuer), keyId, overlap)
    await recordEvent(sql, { spaceId: issuer.spaceId }, 'key_rotated', actor, about(key))
    return key
  })

/** What the audit log says about a key. */
const about = ({ label, scopes }: { label: string; scopes: readonly string[] }) => ({ label, scopes })
