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
    // Keeps the name that the constraint had in `spaces`: processes of the previous version of the service, which run
    // during an update, recognize a taken subdomain by this name.
    subdomain: p.text().unique('spaces_subdomain_unique'),
    name: p.text(),
  },
})
