import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { Comment } from './comment.ts'
import { Post } from './post.ts'

/**
 * A person's report of a post or of a comment. The report is deleted together with the post or comment. It is kept when
 * the reporter's account is deleted.
 *
 * A report of a comment references the comment, but not the post. So when a post is deleted, PostgreSQL deletes each
 * comment first, and then the reports of that comment. `lockReportedComment` also locks the comment before the report.
 */
export const Report = defineEntity({
  name: 'Report',
  tableName: 'reports',
  properties: {
    id: id().primary(),
    post: () => p.manyToOne(Post).mapToPk().deleteRule('cascade').nullable(),
    comment: () => p.manyToOne(Comment).mapToPk().deleteRule('cascade').nullable(),
    reporter: () => p.manyToOne(Account).mapToPk().deleteRule('set null').nullable().index(),
    reason: p.text(),
    createdAt: instant(),
    /** Dismissed reports are kept, so that the same person cannot report the same thing again. */
    dismissedAt: instant().nullable(),
  },
  checks: [{ name: 'reports_target_check', expression: '("post_id" is null) <> ("comment_id" is null)' }],
  uniques: [
    { name: 'reports_post_reporter_unique', properties: ['post', 'reporter'] },
    { name: 'reports_comment_reporter_unique', properties: ['comment', 'reporter'] },
  ],
})
