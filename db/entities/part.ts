import { defineEntity, p } from '@mikro-orm/core'
import { id, instant, name } from './columns.ts'
import { Space } from './space.ts'

export const Part = defineEntity({
  name: 'Part',
  tableName: 'parts',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    id: id().primary(),
    name: name(),
    html: p.text(),
    /** Length of `html` in code points, the unit of the space's quota. */
    length: p.integer(),
    /** Names of parts that the template includes by literal name; the edges of the include graph. */
    includes: p.array().$type<string[]>(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'parts_name_unique', properties: ['space', 'name'] }],
})
