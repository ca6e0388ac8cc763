import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'

/** One site and everything it is made of. */
export const Space = defineEntity({
  name: 'Space',
  tableName: 'spaces',
  properties: {
    id: id().primary(),
    subdomain: p.text().unique(),
    name: p.text(),
    /** Raised by every write to what the site shows; whoever raises it holds the space's lock. */
    revision: p.bigint('string').default(1),
    createdAt: instant(),
  },
})
