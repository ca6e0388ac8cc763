import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A person mutes or blocks another. Only the person who did it sees it. The primary key prevents a second row. */
export const Mute = defineEntity({
  name: 'Mute',
  tableName: 'mutes',
  properties: {
    muter: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    muted: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
    /**
     * Whether the muted account is also blocked. If so, it cannot like, comment on or reblog the posts of the person
     * who blocked it, or follow them.
     */
    isBlock: p.boolean(),
    /** Insertion order; sorts rows created in the same millisecond. */
    position: p.bigint('string').autoincrement(),
    createdAt: instant(),
  },
  checks: [{ name: 'mutes_self_check', expression: '"muter_id" <> "muted_id"' }],
  indexes: [{ name: 'mutes_list_index', properties: ['muter', 'createdAt', 'position'] }],
})
