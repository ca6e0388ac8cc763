import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/**
 * A token of the User API, with which a program acts as a person. Revoking it deletes the row. A client that was
 * connected by its address has one too, labelled with the client's name; its secret is replaced again and again.
 */
export const UserToken = defineEntity({
  name: 'UserToken',
  tableName: 'user_tokens',
  properties: {
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    label: p.text(),
    secretHash: p.blob().unique(),
    /** The first characters, so that people can tell their tokens apart. */
    hint: p.text(),
    scopes: p.array().$type<string[]>(),
    createdAt: instant(),
    lastUsedAt: instant().nullable(),
    /** The connected client; null for a token that a person made. */
    clientId: p.text().nullable().index(),
    /** When the present secret ends; null when it does not. */
    expiresAt: instant().nullable(),
    /** When another token took its place; until it ends both open. A client's token is renewed instead. */
    replacedAt: instant().nullable(),
  },
  checks: [
    {
      name: 'user_tokens_replaced_ends',
      expression: '"replaced_at" is null or ("expires_at" is not null and "client_id" is null)',
    },
  ],
})
