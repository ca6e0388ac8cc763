import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'
import { UserToken } from './user-token.ts'

/**
 * What lets a connected client renew its token. A refresh token has two halves: one stays for the life of the grant
 * and finds it, the other changes each time, so that one which was used before is told from one that never was.
 */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  properties: {
    token: () => p.manyToOne(UserToken).mapToPk().primary().deleteRule('cascade'),
    /** Of the half that stays. */
    familyHash: p.blob().unique(),
    /** Of the refresh token that is due next. */
    refreshHash: p.blob(),
    /** Of the one that was used last, and what the present tokens were derived from it with. */
    usedHash: p.blob().nullable(),
    salt: p.blob().nullable(),
    refreshedAt: instant(),
  },
})
