import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
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
