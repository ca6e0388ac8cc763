import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'
import { SpaceName } from './space-name.ts'

/**
 * The space of a page or file. Each page and file is served at an origin of its own, which contains its id but
 * not its space. A row never changes; it is inserted or deleted in the transaction that creates or deletes the
 * page or file. The table has no check constraint, for the reason given in `change.ts`.
 */
export const Origin = defineEntity({
  name: 'Origin',
  tableName: 'origins',
  properties: {
    id: id().primary(),
    kind: p.text().$type<'page' | 'file'>(),
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').index(),
  },
})
