import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'
import { UserToken } from './user-token.ts'

/** An authorization code: the client exchanges it once for a token, within a minute. */
export const OauthCode = defineEntity({
  name: 'OauthCode',
  tableName: 'oauth_codes',
  properties: {
    codeHash: p.blob().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    clientId: p.text(),
    clientName: p.text(),
    redirectUri: p.text(),
    /** SHA-256 of the client's verifier, in base64url (RFC 7636). */
    challenge: p.text(),
    scopes: p.array().$type<string[]>(),
    expiresAt: instant().index(),
    /** The token that the code was exchanged for; revoked if the code is used again. */
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().index(),
  },
})
