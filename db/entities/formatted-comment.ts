import { defineEntity, p } from '@mikro-orm/core'
import { Comment } from './comment.ts'

/** The HTML of a comment that was written as Markdown. Applies only while the text of the comment is the source. */
export const FormattedComment = defineEntity({
  name: 'FormattedComment',
  tableName: 'formatted_comments',
  properties: {
    comment: () => p.manyToOne(Comment).mapToPk().primary().deleteRule('cascade'),
    /** The Markdown. Differs from the text of the comment after an API has replaced that. */
    source: p.text(),
    html: p.text(),
  },
})
