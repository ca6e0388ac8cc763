import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { callOperation } from '../contract/call-operation.ts'
import { type Row, spaceOperations, userOperations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'

/** Changes every table in each way that `migrations.test.ts` allows, as the next version could. */
const NEXT_MIGRATION = `
  do $$
  declare found record;
  begin
    for found in select tablename from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations' loop
      execute format('alter table %I add "next_text" text null', found.tablename);
      execute format('alter table %I add "next_number" integer not null default 0', found.tablename);
      execute format('create index on %I ("next_number")', found.tablename);
    end loop;
    for found in
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and is_nullable = 'NO' and table_name <> 'mikro_orm_migrations'
        and (table_name, column_name) not in (
          select table_name, column_name from information_schema.key_column_usage
            join information_schema.table_constraints using (constraint_name, table_name)
          where constraint_type = 'PRIMARY KEY')
    loop
      execute format('alter table %I alter column %I drop not null', found.table_name, found.column_name);
    end loop;
  end $$;
  create table "next_things" ("id" text primary key, "space_id" text references "spaces" on delete cascade);
  insert into mikro_orm_migrations (name) values ('Migration99990101000000_next');`

let service: TestService
let space: TestSpace

beforeAll(async () => {
  const databaseUrl = await copyDatabase(inject('database'))
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(NEXT_MIGRATION)
  await client.end()
  service = await startTestService({ databaseUrl })
  space = await service.createSpace()
})
afterAll(() => service.stop())

const call = async (row: Row, secret: string, at: PathValues) => {
  const { status } = await callOperation(service.root, row, at, `Bearer ${secret}`)
  return status
}

describe('with a database that the next version has migrated', () => {
  test('the service is ready', async () => {
    const response = await fetch(`${service.root}/readyz`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready' }])
  })

  test.each(spaceOperations)('$title works', async row => {
    const secret = await space.key(...SPACE_SCOPES)
    expect(await call(row, secret, await fillSpace(space))).toBe(row.facts.status)
  })

  test.each(userOperations)('$title works', async row => {
    const secret = await space.owner.token(...USER_SCOPES)
    expect(await call(row, secret, await fillAccount(space.owner))).toBe(row.facts.status)
  })
})
