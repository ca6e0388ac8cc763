import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A WebAuthn challenge: random text for a passkey to sign, once, within minutes. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  properties: {
    /** The challenge in base64url, as the browser returns it. */
    challenge: p.text().primary(),
    purpose: p.text().$type<'register' | 'sign_in' | 'confirm'>(),
    /** The passkey's owner; null at sign-in, where the account is not known yet. */
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
