import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../../db/backup/restore.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { emptyDatabase } from '../backup/support/databases.ts'
import { callOperation } from '../contract/call-operation.ts'
import { type Row, spaceOperations, userOperations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import version1 from './version-1.0.0.json' with { type: 'json' }

/**
 * A backup by version 1.0.0 of a database with rows in nearly all tables. `version-1.0.0.json` has a key and a token of
 * it, and what that version answered to them.
 */
const VERSION_1 = fileURLToPath(new URL('version-1.0.0.backup', import.meta.url))

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
  const databaseUrl = await emptyDatabase()
  await restoreBackup({ url: databaseUrl }, VERSION_1, { replace: false })
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

describe('with a database of version 1.0.0 that the next version has migrated', () => {
  test('the service is ready', async () => {
    const response = await fetch(`${service.root}/readyz`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready' }])
  })

  test.each(Object.entries(version1.answers))(
    'a credential of 1.0.0 gets the answer of 1.0.0 to %s',
    async (path, body) => {
      const secret = path.startsWith('/spaces/') ? version1.key : version1.token
      expect(await service.rest(secret).get(path)).toMatchObject({ status: 200, body })
    },
  )

  test('the sites of 1.0.0 look the same', async () => {
    const { text } = await requestHost(service, 'bakery.sites.localhost')
    expect(text).toContain(
      '<title>index</title></head><body><h1>The Bakery</h1><a href="/bread">Bread</a><p>Monday: 7.5 Sunday:  </p>',
    )
    const file = version1.answers['/spaces/bakery/files'].data.find(({ name }) => name === 'bread.txt')!
    expect((await requestHost(service, new URL(file.url).hostname)).text).toBe('Rye and wheat \u{1F35E}')
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
