import type { TestService } from '../../support/test-service.ts'

/** Renames a table, so that calls that read it fail. `restoreTables` undoes this. */
export const hideTable = (service: TestService, table: string): Promise<unknown> =>
  service.core.database.schema.alterTable(table).renameTo(`hidden_${table}`).execute()
