import { sqlOf } from '../../../db/orm.ts'
import type { World } from '../../support/world.ts'

/** Renames a table, so that calls that need it fail. `restoreTables` undoes it. */
export const hideTable = (world: World, table: string): Promise<unknown> =>
  sqlOf(world.service.core.orm).schema.alterTable(table).renameTo(`hidden_${table}`).execute()
