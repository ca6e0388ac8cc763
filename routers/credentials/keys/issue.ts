import { withMembershipLocked } from '../../../db/locks.ts'
import type { Orm, Sql } from '../../../db/orm.ts'
import type { SpaceScope } from '../../core/scopes.ts'
import { type Choice, issue } from '../issue.ts'
import { rotate } from '../rotate.ts'
import { type Issuer, keyStore } from './store.ts'

/**
 * Issues a space key.
 *
 * @throws `too_many_keys`, MissingRowError, or a violation of `space_keys_issuer_id_foreign`
 */
export const issueKey = (orm: Orm, issuer: Issuer, choice: Choice<SpaceScope>) =>
  withMembershipLocked(orm, issuer.spaceId, sql => issue(keyStore(sql, issuer), choice))

/**
 * Rotates a space key; the participant becomes the issuer of the new one.
 *
 * @param overlap in seconds
 * @param requireConfirmation called first if the new key will not expire
 * @throws what `rotate` throws, MissingRowError, or a violation of `space_keys_issuer_id_foreign`
 */
export const rotateKey = (
  orm: Orm,
  issuer: Issuer,
  keyId: string,
  overlap: number,
  requireConfirmation: (sql: Sql) => Promise<void>,
) =>
  withMembershipLocked(orm, issuer.spaceId, sql =>
    rotate(keyStore(sql, issuer), keyId, overlap, () => requireConfirmation(sql)),
  )
