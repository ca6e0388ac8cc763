import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** Random text that a passkey is to sign, once and soon. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  properties: {
    /** In base64url, as the browser repeats it. */
    challenge: p.text().primary(),
    purpose: p.text().$type<'register' | 'sign_in' | 'confirm'>(),
    /** Whose passkey is to be made or asked for; at sign-in nobody knows yet. */
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().index(),
    expiresAt: instant().index(),
  },
  checks: [
    {
      name: 'passkey_challenges_purpose',
      expression: `"purpose" in ('register', 'sign_in', 'confirm') and ("purpose" = 'sign_in') = ("account_id" is null)`,
    },
  ],
})
