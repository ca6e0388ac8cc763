import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * A change or deletion of a post, with the state before it. Only the author can see it. Written by the statement that
 * changes the post. The row has no foreign keys. If it had a foreign key to the account, a write to a post and
 * the deletion of the post's author could deadlock.
 */
export const PostChange = defineEntity({
  name: 'PostChange',
  tableName: 'post_changes',
  properties: {
    position: p.bigint('string').autoincrement().primary(),
    /** The author of the post. */
    accountId: id(),
    postId: id(),
    at: instant(),
    /** A post has one row with `delete` while it is deleted, and none otherwise. */
    action: p.enum(['change', 'delete'] as const),
    cause: p.enum(['write', 'restore'] as const),
    actorKind: p.enum(['user_token', 'session'] as const),
    /** The label that the token had at that time; null for a session. */
    actorLabel: p.text().nullable(),
    /** The name of the MCP client, as the client reported it; null outside the tool servers. */
    agent: p.text().nullable(),
    /** The columns of the post before the change. */
    format: p.enum(['html', 'rich', 'reblog'] as const),
    html: p.text().nullable(),
    markdown: p.text().nullable(),
    url: p.text().nullable(),
    text: p.text().nullable(),
    tags: p.array().$type<string[]>(),
    postPosition: p.bigint('string'),
    publishedAt: instant().nullable(),
    /** Stored only for a deletion. If the deleted post was closed, restoring the post closes it again. */
    commentsClosedAt: instant().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
    /** The reports of a deleted post, which are restored with it; null if there are none. */
    reports: p.json<unknown>().nullable(),
    /** Approximate bytes of the author's data in the row. Excludes the reports, which are other people's data. */
    size: p.integer(),
  },
  indexes: [
    { name: 'post_changes_post_index', properties: ['accountId', 'postId', 'position'] },
    { name: 'post_changes_at_index', properties: ['at', 'accountId'] },
    {
      name: 'post_changes_deleted_index',
      expression: `create index "post_changes_deleted_index" on "post_changes" ("account_id", "position") where "action" = 'delete'`,
    },
  ],
})
