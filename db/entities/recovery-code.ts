import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A one-time code for a person who has no other way to sign in. Using it deletes the row. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    codeHash: p.blob().primary(),
    createdAt: instant(),
  },
})
