import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'
import { Participant } from './participant.ts'
import { SpaceKey } from './space-key.ts'
import { UserToken } from './user-token.ts'

/** An authorization code: the client exchanges it once for a key or token, within a minute. */
export const OauthCode = defineEntity({
  name: 'OauthCode',
  tableName: 'oauth_codes',
  properties: {
    codeHash: p.blob().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /**
     * The account's membership of the space to which the client was connected; null if it was connected to the
     * account itself.
     */
    participant: () => p.manyToOne(Participant).mapToPk().deleteRule('cascade').nullable().index(),
    clientId: p.text(),
    clientName: p.text(),
    redirectUri: p.text(),
    /** SHA-256 of the client's verifier, in base64url (RFC 7636). */
    challenge: p.text(),
    scopes: p.array().$type<string[]>(),
    /** The resource that the client asked for (`GrantResource`). */
    resource: p.text().nullable(),
    expiresAt: instant().index(),
    /** The token or key that the code was exchanged for; revoked if the code is used again. */
    token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().index(),
    key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().index(),
  },
  checks: [
    {
      name: 'oauth_codes_credential_kind',
      expression:
        '("token_id" is null or "participant_id" is null) and ("key_id" is null or "participant_id" is not null)',
    },
  ],
})
