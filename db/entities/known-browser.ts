import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A browser that has signed in to an account. Only a hash of its cookie is stored. */
export const KnownBrowser = defineEntity({
  name: 'KnownBrowser',
  tableName: 'known_browsers',
  properties: {
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    browserHash: p.blob().primary(),
    signedInAt: instant(),
  },
})
