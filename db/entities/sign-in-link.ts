import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/**
 * A one-time link to the dashboard: `sign_in` signs an account in, `reset` sets a new password for an account, `set_up`
 * creates the first account.
 */
export const SignInLink = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_links',
  properties: {
    tokenHash: p.blob().primary(),
    purpose: p.text().$type<'sign_in' | 'reset' | 'set_up'>(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().index(),
    expiresAt: instant().index(),
  },
  checks: [
    {
      name: 'sign_in_links_purpose',
      expression: `"purpose" in ('sign_in', 'reset', 'set_up') and ("purpose" = 'set_up') = ("account_id" is null)`,
    },
  ],
})
