import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * A notification of an account. The row has no foreign keys. If it had a foreign key to the account, a comment
 * on a post and the deletion of the post's author could deadlock. Queries skip rows about things that no longer
 * exist.
 */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    position: p.bigint('string').autoincrement().primary(),
    /** Who is notified. */
    accountId: id(),
    kind: p.enum(['commented', 'reblogged', 'report_dismissed', 'report_accepted', 'taken_down'] as const),
    at: instant(),
    /** The post that was commented on, reblogged or reported; null after a decision that deleted it. */
    postId: id().nullable(),
    /** The comment that was written or reported; null after a decision that deleted it. */
    commentId: id().nullable(),
    /** The post that reblogs `postId`. */
    reblogId: id().nullable(),
    /**
     * An operator's decision about the account itself; null in all other notifications. If it is set, `kind` is
     * `taken_down`, because the previous version of the service cannot read new kinds.
     */
    decision: p.enum(['suspended', 'suspension_lifted'] as const).nullable(),
    /** What a decision of an operator is about. */
    subject: p.enum(['post', 'comment'] as const).nullable(),
    /** The text of the report that was decided, or the start of the post or comment that was taken down. */
    text: p.text().nullable(),
    /** The operator's reason for taking down the post or comment, or for suspending the account. */
    reason: p.text().nullable(),
    readAt: instant().nullable(),
  },
  indexes: [
    { name: 'notifications_account_index', properties: ['accountId', 'position'] },
    { name: 'notifications_at_index', properties: ['at', 'accountId'] },
    {
      name: 'notifications_unread_index',
      expression: `create index "notifications_unread_index" on "notifications" ("account_id") where "read_at" is null`,
    },
  ],
})
