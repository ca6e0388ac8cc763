import { defineEntity, p } from '@mikro-orm/core'
import { Comment } from './comment.ts'

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
