/** What people publish outside of spaces, and how others react to it. */
import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './accounts.ts'
import { id, instant } from './columns.ts'

/** A published post or a draft. Likes and comments are counted on read, never stored as numbers. */
export const Post = defineEntity({
  name: 'Post',
  tableName: 'posts',
  properties: {
    id: id().primary(),
    author: () => p.manyToOne(Account).mapToPk().deleteRule('cascade'),
    /** Insertion order, by which posts created in the same millisecond are sorted. */
    position: p.bigint('string').autoincrement(),
    format: p.enum(['html', 'rich', 'reblog'] as const),
    /** The document as sent, or converted from Markdown. */
    html: p.text().nullable(),
    /** The source of `html`; stored only for posts written in the dashboard, where the author can edit it. */
    markdown: p.text().nullable(),
    /** The link that a reblog shares. */
    url: p.text().nullable(),
    /** What the author of a reblog says about the link in `url`. */
    text: p.text().nullable(),
    /** Sorted by name. */
    tags: p.array().$type<string[]>(),
    /** Null for a draft. */
    publishedAt: instant().nullable(),
    /** When the author closed the post for comments; null while people can comment. */
    commentsClosedAt: instant().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  checks: [
    {
      name: 'posts_content_check',
      expression: `case when "format" = 'reblog' then "url" is not null and "html" is null else "html" is not null and "url" is null and "text" is null end`,
    },
    { name: 'posts_markdown_check', expression: `"markdown" is null or "format" = 'rich'` },
  ],
  indexes: [
    { name: 'posts_author_index', properties: ['author', 'createdAt', 'position'] },
    {
      name: 'posts_published_index',
      expression:
        'create index "posts_published_index" on "posts" ("author_id", "published_at", "position") include ("id") where "published_at" is not null',
    },
    {
      name: 'posts_timeline_index',
      expression:
        'create index "posts_timeline_index" on "posts" ("published_at", "position") where "published_at" is not null',
    },
  ],
})

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

/** A person's comment on a post. If it was written as Markdown, `FormattedComment` has its HTML. */
export const Comment = defineEntity({
  name: 'Comment',
  tableName: 'comments',
  properties: {
    id: id().primary(),
    post: () => p.manyToOne(Post).mapToPk().deleteRule('cascade'),
    author: () => p.manyToOne(Account).mapToPk().deleteRule('cascade').index(),
    /** Insertion order; sorts comments created in the same millisecond. */
    position: p.bigint('string').autoincrement(),
    body: p.text(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    {
      // Includes the author, so that counts can leave out comments of suspended accounts without reading the rows.
      name: 'comments_listed_index',
      expression:
        'create index "comments_listed_index" on "comments" ("post_id", "created_at", "position") include ("author_id")',
    },
  ],
})

/** The HTML of a comment that was written as Markdown. Applies only while the text of the comment equals `source`. */
export const FormattedComment = defineEntity({
  name: 'FormattedComment',
  tableName: 'formatted_comments',
  properties: {
    comment: () => p.manyToOne(Comment).mapToPk().primary().deleteRule('cascade'),
    /** The Markdown. Differs from the text of the comment once an API has replaced the text. */
    source: p.text(),
    html: p.text(),
  },
})

/** A person's like of a post. The primary key prevents a second like. */
export const Like = defineEntity({
  name: 'Like',
  tableName: 'likes',
  properties: {
    post: () => p.manyToOne(Post).mapToPk().primary().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
  },
})

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
    /**
     * The domain that was switched off, and its space; null in all other notifications. If they are set, `kind` is
     * `taken_down`, for the same reason as with `decision`.
     */
    domain: p.text().nullable(),
    /** The host of the webhook that was switched off; `spaceId` and `kind` are as with `domain`. */
    webhook: p.text().nullable(),
    /**
     * What an owner made of the person's participation in the space `spaceId` or, if they removed the person, in the space
     * that had the name `text`; null in all other notifications. `kind` is as with `decision`.
     */
    participation: p.enum(['owner', 'editor', 'removed'] as const).nullable(),
    /** The slug of the page for which something scheduled could not be done; `spaceId` and `kind` are as with `domain`. */
    schedule: p.text().nullable(),
    spaceId: id().nullable(),
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
