import { sql } from 'kysely'
import type { TestService } from './test-service.ts'

/**
 * Inserts copies of a key or token into the database, which is faster than issuing them. The copies have numbered
 * labels and no usable secret.
 */
export const copyCredential = async (
  service: TestService,
  table: 'space_keys' | 'user_tokens',
  id: string,
  count: number,
): Promise<void> => {
  const row = sql.table(table)
  await sql`
    insert into ${row}
    select (jsonb_populate_record(original, jsonb_build_object(
      'id', translate(substr(md5(random()::text), 1, 16), '0189', 'ghjk'),
      'secret_hash', '\\x' || md5(random()::text) || md5(random()::text),
      'label', original.label || ' ' || number))).*
    from ${row} as original, generate_series(1, ${count}::int) as number
    where original.id = ${id}`.execute(service.core.database)
}
