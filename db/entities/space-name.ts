import { defineEntity, p } from '@mikro-orm/core'
import { id } from './columns.ts'

/**
 * The row of a space in the directory, by which requests find the space. A space exists while it has this row. Its
 * content, in `spaces` and the tables that refer to it, can be on another server.
 */
export const SpaceName = defineEntity({
  name: 'SpaceName',
  tableName: 'space_names',
  properties: {
    id: id().primary(),
    // The constraint keeps its old name, from when the column was in `spaces`. During an update, processes of the
    // previous version still run. They recognize the error for a taken subdomain by the name of the constraint.
    subdomain: p.text().unique('spaces_subdomain_unique'),
    name: p.text(),
  },
})
