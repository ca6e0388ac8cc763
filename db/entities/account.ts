import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** A person. The handle is shown as written and is unique ignoring case. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: id().primary(),
    handle: p.text(),
    /** An argon2id hash; null while the account can only be entered by a one-time link. */
    passwordHash: p.text().nullable(),
    /** How the person wants to be called; the handle is shown while there is none. */
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
