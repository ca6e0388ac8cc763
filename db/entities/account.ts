import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** A person. The handle keeps its letter case and is unique ignoring case. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: id().primary(),
    handle: p.text(),
    /** An argon2id hash; null for an account without a password. */
    passwordHash: p.text().nullable(),
    /** If null, the handle is shown instead. */
    displayName: p.text().nullable(),
    bio: p.text().nullable(),
    createdAt: instant(),
    /** When an operator suspended the account; null if it is not suspended. */
    suspendedAt: instant().nullable(),
    /** The operator's reason for the suspension, which the person reads. */
    suspensionReason: p.text().nullable(),
  },
  checks: [
    {
      name: 'accounts_suspension_check',
      expression: '("suspended_at" is null) = ("suspension_reason" is null)',
    },
  ],
  indexes: [
    {
      name: 'accounts_suspended_index',
      expression:
        'create index "accounts_suspended_index" on "accounts" ("id") where "suspended_at" is not null',
    },
    {
      name: 'accounts_handle_unique',
      expression: 'create unique index "accounts_handle_unique" on "accounts" (lower("handle"))',
    },
  ],
})
