import { type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../orm.ts'
import { isActive } from './suspensions.ts'

/** The numbers of likes and comments. They are counted on read, because a stored number could drift from the rows. */
export const postCounts = (eb: ExpressionBuilder<{ post: Tables['posts'] } & Tables, 'post'>) => [
  eb
    .selectFrom('likes')
    .whereRef('likes.post_id', '=', 'post.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .as('like_count'),
  eb
    .selectFrom('comments')
    .whereRef('comments.post_id', '=', 'post.id')
    .where(isActive('comments.author_id'))
    .select(sql<number>`count(*)::int`.as('count'))
    .as('comment_count'),
]
