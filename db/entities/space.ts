import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * The row of a space on the server that has the space's content. The content refers to this row, and writers lock this
 * row. The subdomain and the name are copies from `space_names`. So serving a page reads no table of the directory.
 */
export const Space = defineEntity({
  name: 'Space',
  tableName: 'spaces',
  properties: {
    id: id().primary(),
    subdomain: p.text(),
    name: p.text(),
    /** Incremented by every write to the site's content, under the space's lock. */
    revision: p.bigint('string').default(1),
    createdAt: instant(),
    /**
     * The transaction that has raised the revision. A trigger refuses changes of content in another transaction: they
     * would have no write of their own. Null if content is distributed, because each server numbers its own transactions.
     */
    transaction: p.text().columnType('xid8').nullable().default('0'),
  },
})
