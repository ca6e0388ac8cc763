import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** One site and its content. */
export const Space = defineEntity({
  name: 'Space',
  tableName: 'spaces',
  properties: {
    id: id().primary(),
    subdomain: p.text().unique(),
    name: p.text(),
    /** Incremented by every write to the site's content, under the space's lock. */
    revision: p.bigint('string').default(1),
    createdAt: instant(),
  },
})
