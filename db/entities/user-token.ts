import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/**
 * A token of the User API, with which a program acts as a person. Deleted when it is revoked. A connected OAuth client
 * has a token too: its label is the client's name, and its secret is replaced on each refresh.
 */
export const UserToken = defineEntity({
  name: 'UserToken',
  tableName: 'user_tokens',
  properties: {
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    label: p.text(),
    secretHash: p.blob().unique(),
    /** The secret's first characters, for display in lists. */
    hint: p.text(),
    scopes: p.array().$type<string[]>(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
    /** The name of the agent that last connected with the token; null if none has. */
    agentName: p.text().nullable(),
    /** The connected OAuth client; null for a token that a person issued. */
    clientId: p.text().nullable().index(),
    /**
     * The resource that the client was connected to (`GrantResource`). Null for a credential that a person issued, and for
     * clients that were connected before resources were stored: these have to be connected again.
     */
    resource: p.text().nullable(),
    /** When the current secret expires; null if it does not expire. */
    expiresAt: instant().nullable(),
    /**
     * The time at which a new token replaced this token (rotation). Until this token expires, both tokens work. The
     * token of a connected app is never rotated: it is refreshed.
     */
    replacedAt: instant().nullable(),
  },
  checks: [
    {
      name: 'user_tokens_replaced_ends',
      expression: '"replaced_at" is null or ("expires_at" is not null and "client_id" is null)',
    },
  ],
})
