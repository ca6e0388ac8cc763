import type { Sql } from '../../../db/orm.ts'
import { findKeyToRotate, replaceSpaceKey } from '../../../db/queries/rotation.ts'
import {
  countSpaceKeys,
  deleteEndedSpaceKeys,
  deleteSpaceKey,
  insertSpaceKey,
} from '../../../db/queries/space-keys.ts'
import { limits } from '../../core/rules.ts'
import { SPACE_SCOPES, type SpaceScope } from '../../core/scopes.ts'
import { IDLE_GRANT } from '../expiry.ts'
import type { CredentialStore } from '../store.ts'

/** Who issues a key, and for which space. */
export interface Issuer {
  spaceId: string
  participantId: string
}

/**
 * The keys of a space. The participant becomes the issuer of new keys. Keys of connected apps count towards the limit,
 * but people cannot rotate them.
 */
export const keyStore = (sql: Sql, { spaceId, participantId }: Issuer): CredentialStore<SpaceScope> => ({
  secretKind: 'space_key',
  scopes: SPACE_SCOPES,
  limit: limits.keys,
  errors: {
    notFound: 'key_not_found',
    ended: 'key_ended',
    tooMany: {
      code: 'too_many_keys',
      detail: `A space can have at most ${limits.keys} keys and connected apps. Revoke one you no longer use, then try again.`,
      rotatedDetail: `A space can have at most ${limits.keys} rotated keys that still work. Revoke one of them, or let the old key stop working immediately.`,
    },
  },
  count: now => countSpaceKeys(sql, spaceId, now, new Date(now.getTime() - IDLE_GRANT)),
  deleteExpired: now => deleteEndedSpaceKeys(sql, spaceId, now, limits.keys),
  insert: (key, rotated) =>
    insertSpaceKey(sql, { ...key, issuer_id: participantId, first_id: rotated?.first_id ?? null }),
  find: id => findKeyToRotate(sql, spaceId, id),
  delete: async id => (await deleteSpaceKey(sql, spaceId, id)) !== undefined,
  markRotated: (id, rotatedAt, expiresAt) => replaceSpaceKey(sql, id, rotatedAt, expiresAt),
})
