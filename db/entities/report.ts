import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { Post } from './post.ts'

/** What a person finds wrong with a post. It outlives the person's account, but not the post. */
export const Report = defineEntity({
  name: 'Report',
  tableName: 'reports',
  properties: {
    id: id().primary(),
    post: () => p.manyToOne(Post).mapToPk().deleteRule('cascade'),
    reporter: () => p.manyToOne(Account).mapToPk().deleteRule('set null').nullable().index(),
    reason: p.text(),
    createdAt: instant(),
    /** Kept when dismissed, so that the same person cannot report the same post again. */
    dismissedAt: instant().nullable(),
  },
  uniques: [{ name: 'reports_post_reporter_unique', properties: ['post', 'reporter'] }],
})
