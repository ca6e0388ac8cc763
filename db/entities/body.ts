import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'

/**
 * An earlier body of a page or part, or an earlier value of a record. A space stores the same text only once, and
 * PostgreSQL compresses it. The current body is in the row of the page, part or record.
 */
export const Body = defineEntity({
  name: 'Body',
  tableName: 'bodies',
  properties: {
    spaceId: id().primary(),
    /** SHA-256 of `text` in UTF-8. */
    digest: p.blob().primary(),
    text: p.text(),
    /** Bytes of `text` in UTF-8. */
    size: p.integer(),
  },
})
