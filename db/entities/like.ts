import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { Post } from './post.ts'

/** That a person likes a post. The key itself makes a second like of the same person impossible. */
export const Like = defineEntity({
  name: 'Like',
  tableName: 'likes',
  properties: {
    post: () => p.manyToOne(Post).mapToPk().primary().deleteRule('cascade'),
    account: () => p.manyToOne(Account).mapToPk().primary().deleteRule('cascade').index(),
  },
})
