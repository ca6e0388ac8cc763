import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/**
 * Says that the account `muter` has muted or blocked the account `muted`. Only `muter` can see this. The primary key
 * prevents a second row for the same `muter` and `muted`.
 */
export const Mute = defineEntity({
  name: 'Mute',
  tableName: 'mutes',
  properties: {
    muter: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    muted: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
    /**
     * Whether the muted account is also blocked. If so, it cannot follow the person who blocked it, or like, comment on
     * or reblog that person's posts.
     */
    isBlock: p.boolean(),
    /** Insertion order; sorts rows created in the same millisecond. */
    position: p.bigint('string').autoincrement(),
    createdAt: instant(),
  },
  checks: [{ name: 'mutes_self_check', expression: '"muter_id" <> "muted_id"' }],
  indexes: [{ name: 'mutes_list_index', properties: ['muter', 'createdAt', 'position'] }],
})
