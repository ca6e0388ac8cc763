import { sqlOf } from '../../../db/orm.ts'
import type { World } from '../../support/world.ts'

/** Tables that tools work on and that authentication does not ask, by what the tools' names have in them. */
const TABLES: [RegExp, string][] = [
  [/_pages?$/, 'pages'],
  [/_parts?$/, 'parts'],
  [/_files?$/, 'files'],
  [/_data$/, 'data_records'],
  [/_posts?$/, 'posts'],
  [/_icon$|^get_me$|^update_profile$/, 'icons'],
]

/** Puts the table of a tool where the service does not find it, so that a call breaks. `restoreTables` puts it back. */
export const hideTableOf = (tool: string): ((world: World) => Promise<unknown>) => {
  const [, table] = TABLES.find(([pattern]) => pattern.test(tool))!
  return world =>
    sqlOf(world.service.core.orm.em.fork()).schema.alterTable(table).renameTo(`mislaid_${table}`).execute()
}
