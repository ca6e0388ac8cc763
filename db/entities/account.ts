import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** A person. The handle keeps its letter case and is unique ignoring case. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: id().primary(),
    handle: p.text(),
    /** An argon2id hash; null while one-time links are the only way to sign in. */
    passwordHash: p.text().nullable(),
    /** If null, the handle is shown instead. */
    displayName: p.text().nullable(),
    bio: p.text().nullable(),
    createdAt: instant(),
  },
  indexes: [
    {
      name: 'accounts_handle_unique',
      expression: 'create unique index "accounts_handle_unique" on "accounts" (lower("handle"))',
    },
  ],
})
