import { defineEntity, p } from '@mikro-orm/core'
import { id, instant, name } from './columns.ts'
import { Space } from './space.ts'

export const Page = defineEntity({
  name: 'Page',
  tableName: 'pages',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    id: id().primary(),
    slug: name(),
    kind: p.enum(['scripted', 'static'] as const),
    html: p.text(),
    /** Names of parts that the template includes by literal name. */
    includes: p.array().$type<string[]>(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'pages_slug_unique', properties: ['space', 'slug'] }],
})
