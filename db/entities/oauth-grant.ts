import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'
import { SpaceKey } from './space-key.ts'
import { UserToken } from './user-token.ts'

/**
 * The refresh state of a connected app's key or token. A refresh token has two halves. One half is fixed for the
 * life of the grant and identifies the grant. The other half changes on each refresh. So a token that was used
 * before is recognized: its fixed half still identifies a grant, but its other half is outdated.
 */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    /** Hash of the fixed half of the refresh token. */
    familyHash: p.blob().primary(),
    /** The app's token, if the app was connected to an account. */
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().unique(),
    /** The app's key, if the app was connected to a space. */
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().unique(),
    /** Hash of the current refresh token. */
    refreshHash: p.blob(),
    /**
     * Hash of the refresh token that was used last. The current tokens were derived from that refresh token and `salt`.
     */
    usedHash: p.blob().nullable(),
    salt: p.blob().nullable(),
    refreshedAt: instant(),
  },
  checks: [{ name: 'oauth_grants_one_credential', expression: 'num_nonnulls("token_id", "key_id") = 1' }],
})
