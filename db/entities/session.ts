import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** Somebody signed in with a browser. Only a hash of the cookie's token is kept. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    tokenHash: p.blob().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    createdAt: instant(),
    lastSeenAt: instant(),
    expiresAt: instant(),
  },
})
