import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { instant } from './columns.ts'

/** A person follows another. Only the follower sees it. The primary key prevents a second row. */
export const Follow = defineEntity({
  name: 'Follow',
  tableName: 'follows',
  properties: {
    follower: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade'),
    followed: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
    /** Insertion order; sorts rows created in the same millisecond. */
    position: p.bigint('string').autoincrement(),
    createdAt: instant(),
  },
  checks: [{ name: 'follows_self_check', expression: '"follower_id" <> "followed_id"' }],
  indexes: [{ name: 'follows_list_index', properties: ['follower', 'createdAt', 'position'] }],
})
