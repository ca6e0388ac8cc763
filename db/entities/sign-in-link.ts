import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A link that signs its bearer in, once. */
export const SignInLink = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_links',
  properties: {
    tokenHash: p.blob().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    expiresAt: instant(),
  },
})
