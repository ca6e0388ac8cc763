import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'

/** Something a person publishes, or is still writing. Likes and comments are counted, never kept as numbers. */
export const Post = defineEntity({
  name: 'Post',
  tableName: 'posts',
  properties: {
    id: id().primary(),
    author: () => p.manyToOne(Account).mapToPk().deleteRule('cascade'),
    /** Order of arrival; settles which of two posts of one millisecond is newer. */
    position: p.bigint('string').autoincrement(),
    format: p.enum(['html', 'rich', 'reblog'] as const),
    /** The document as sent, or what was made of Markdown. */
    html: p.text().nullable(),
    /** The Markdown that `html` was made of; kept only of what its author wrote in the screen, who may go on with it there. */
    markdown: p.text().nullable(),
    /** The address that a reblog shares. */
    url: p.text().nullable(),
    /** What a reblog says of it. */
    text: p.text().nullable(),
    /** Sorted by name. */
    tags: p.array().$type<string[]>(),
    /** Null for a draft. */
    publishedAt: instant().nullable(),
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
      name: 'posts_timeline_index',
      expression:
        'create index "posts_timeline_index" on "posts" ("published_at", "position") where "published_at" is not null',
    },
  ],
})
