import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { SpaceName } from './space-name.ts'

/**
 * An account's membership of a space. Keys and invitations that the account issued in the space reference this row and
 * are deleted with it.
 */
export const Participant = defineEntity({
  name: 'Participant',
  tableName: 'participants',
  properties: {
    id: id().primary(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    joinedAt: instant(),
  },
  uniques: [{ name: 'participants_space_account_unique', properties: ['space', 'account'] }],
})
