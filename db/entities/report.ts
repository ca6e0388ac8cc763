import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { Post } from './post.ts'

/** A person's report of a post. Kept when the account is deleted; deleted with the post. */
export const Report = defineEntity({
  name: 'Report',
  tableName: 'reports',
  properties: {
    id: id().primary(),
    post: () => p.manyToOne(Post).mapToPk().deleteRule('cascade'),
    reporter: () => p.manyToOne(Account).mapToPk().deleteRule('set null').nullable().index(),
    reason: p.text(),
    createdAt: instant(),
    /** Dismissed reports are kept, so that the same person cannot report the post again. */
    dismissedAt: instant().nullable(),
  },
  uniques: [{ name: 'reports_post_reporter_unique', properties: ['post', 'reporter'] }],
})
