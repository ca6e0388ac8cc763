import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { CONFLICTS } from '../../routers/api/trpc.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

it('every database constraint that is mapped to an error code exists', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where contype in ('u', 'f')
    union select indexname from pg_indexes where schemaname = 'public'`.execute(service.core.database)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(CONFLICTS)))
})
