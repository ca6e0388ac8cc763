import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { Post } from './post.ts'

/** A person's like of a post. The primary key prevents a second like. */
export const Like = defineEntity({
  name: 'Like',
  tableName: 'likes',
  properties: {
    post: () => p.manyToOne(Post).mapToPk().primary().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
  },
})
