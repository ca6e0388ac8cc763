import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/** A token of the User API, with which a program acts as a person. Revoking it deletes the row. */
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
  },
})
