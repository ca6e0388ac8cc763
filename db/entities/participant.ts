import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { Space } from './space.ts'

/** An account that runs a space. What it issued there hangs on this row and goes with it. */
export const Participant = defineEntity({
  name: 'Participant',
  tableName: 'participants',
  properties: {
    id: id().primary(),
    space: () => p.manyToOne(Space).mapToPk().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    joinedAt: instant(),
  },
  uniques: [{ name: 'participants_space_account_unique', properties: ['space', 'account'] }],
})
