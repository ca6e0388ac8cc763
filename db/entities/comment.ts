import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { Post } from './post.ts'

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
