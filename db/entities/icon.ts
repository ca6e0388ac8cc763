import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id } from './columns.ts'
import { SpaceName } from './space-name.ts'

/** The picture of a space or an account. Setting an icon creates a new row, so the URL changes. */
export const Icon = defineEntity({
  name: 'Icon',
  tableName: 'icons',
  properties: {
    id: id().primary(),
    space: () =>
      p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').nullable().unique('icons_space_unique'),
    account: () =>
      p.manyToOne(Account).mapToPk().deleteRule('cascade').nullable().unique('icons_account_unique'),
    png: p.blob(),
  },
  checks: [{ name: 'icons_one_owner', expression: 'num_nonnulls("space_id", "account_id") = 1' }],
})
