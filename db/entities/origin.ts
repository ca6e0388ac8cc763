import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'
import { SpaceName } from './space-name.ts'

/**
 * The space of a page or file, whose origin contains only its id. It never changes. A row is written in the transaction
 * that creates or deletes the page or file.
 */
export const Origin = defineEntity({
  name: 'Origin',
  tableName: 'origins',
  properties: {
    id: id().primary(),
    kind: p.enum(['page', 'file'] as const),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').index(),
  },
})
