import { sqlOf } from '../../../db/orm.ts'
import type { World } from '../../support/world.ts'

/** Tables that tools use and authentication does not read, by tool name. */
const TABLES: [RegExp, string][] = [
  [/_pages?$/, 'pages'],
  [/_parts?$/, 'parts'],
  [/_files?$/, 'files'],
  [/_data$/, 'data_records'],
  [/_posts?$/, 'posts'],
  [/_icon$|^get_me$|^update_profile$/, 'icons'],
]

/** Renames the table of a tool, so that calls fail. `restoreTables` undoes it. */
export const hideTableOf = (tool: string): ((world: World) => Promise<unknown>) => {
  const [, table] = TABLES.find(([pattern]) => pattern.test(tool))!
  return world => sqlOf(world.service.core.orm).schema.alterTable(table).renameTo(`hidden_${table}`).execute()
}
