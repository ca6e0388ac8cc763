import { z } from 'zod'
import { exampleIds, id, lines, timestamp } from '../../api/fields.ts'
import { userRules } from '../../api/rules.ts'
import { postId } from '../posts/schema.ts'

const { min_length: min, max_length: max } = userRules.comment.body

const body = lines({ min, max, tabs: true }).meta({
  description: 'Plain text; line breaks and tabs are allowed. Surrounding white space is removed first',
  examples: ['Lovely beans!'],
})

export const commentId = id('comment')

export const Comment = z
  .object({
    id: z.string().meta({ examples: [exampleIds.comment] }),
    post_id: z.string().meta({ description: 'The post that the comment is on', examples: [exampleIds.post] }),
    author_handle: z.string().meta({ examples: ['robin'] }),
    body: z.string().meta({ description: 'Plain text, never HTML', examples: ['Lovely beans!'] }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Comment' })

export const NewComment = z.strictObject({ post_id: postId, body })

export const CommentChange = z.strictObject({ comment_id: commentId, body })

/** Converts a row to the API's comment object. */
export const toComment = (row: {
  id: string
  post_id: string
  author_handle: string
  body: string
  created_at: Date
  updated_at: Date
}) => ({
  id: row.id,
  post_id: row.post_id,
  author_handle: row.author_handle,
  body: row.body,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
