import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'
import { UserToken } from './user-token.ts'

/**
 * The refresh state of a connected client's token. A refresh token has two halves. One half is fixed for the life of
 * the grant and identifies the grant. The other half changes on each refresh, which distinguishes a reused token from
 * an unknown one.
 */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    token: () => p.manyToOne(UserToken).mapToPk().primary().deleteRule('cascade'),
    /** Hash of the fixed half. */
    familyHash: p.blob().unique(),
    /** Hash of the current refresh token. */
    refreshHash: p.blob(),
    /** Hash of the last used refresh token, and the salt with which the current tokens were derived from it. */
    usedHash: p.blob().nullable(),
    salt: p.blob().nullable(),
    refreshedAt: instant(),
  },
})
