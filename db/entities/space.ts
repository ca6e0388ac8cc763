import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/**
 * The row of a space that its content refers to and that writers lock. Serving a page reads the subdomain and name
 * here, so that it needs no table of the directory; see `space_names`.
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
  },
})
