import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Database } from '../../db/database.ts'
import { isMigrated, migrate } from '../../db/migrate.ts'
import { inTransaction } from '../../db/transaction.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { callOperation } from '../contract/call-operation.ts'
import { type Row, spaceOperations, userOperations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { POOL_SIZE, type Pooler, startPooler } from './support/pooler.ts'

let pooler: Pooler
let url: string
let service: TestService
let space: TestSpace

beforeAll(async () => {
  const { url: server } = inject('database')
  pooler = await startPooler(server)
  url = pooler.through(await copyDatabase(inject('database')))
  service = await startTestService({ databaseUrl: url, preparedStatements: pooler.preparesStatements })
  space = await service.createSpace()
})
afterAll(async () => {
  await service.stop()
  await pooler.stop()
})

const call = async (row: Row, secret: string, at: PathValues) => {
  const { status } = await callOperation(service.root, row, at, `Bearer ${secret}`)
  return status
}

describe('behind a pooler in transaction mode', () => {
  test.each(spaceOperations)('$title works when several calls run at once', async row => {
    const secret = await space.key(...SPACE_SCOPES)
    const rows = await Promise.all([fillSpace(space), fillSpace(space), fillSpace(space)])
    expect(await Promise.all(rows.map(values => call(row, secret, values)))).toEqual(
      Array(3).fill(row.facts.status),
    )
  })

  test.each(userOperations)('$title works', async row => {
    const secret = await space.owner.token(...USER_SCOPES)
    expect(await call(row, secret, await fillAccount(space.owner))).toBe(row.facts.status)
  })

  test('the timeouts of a transaction apply to no other transaction', async () => {
    const timeouts = sql<{ statement: string; idle: string }>`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`
    const { database } = service.core
    const inside = await inTransaction(database, db => timeouts.execute(db))
    expect(inside.rows).toEqual([{ statement: '15s', idle: '15s' }])
    for (let i = 0; i < 2 * POOL_SIZE; i++)
      expect((await timeouts.execute(database)).rows).toEqual([{ statement: '0', idle: '0' }])
  })

  test('several processes that start at once migrate an empty database', async () => {
    const empty = `empty_${crypto.randomUUID().replaceAll('-', '')}`
    await withClient(inject('database').url, client => client.query(`create database ${empty}`))
    const own = pooler.through(Object.assign(new URL(inject('database').url), { pathname: `/${empty}` }).href)
    const processes = await Promise.all(Array.from({ length: 4 }, () => Database.open({ url: own })))
    await Promise.all(processes.map(database => migrate(database)))
    expect(await Promise.all(processes.map(isMigrated))).toEqual([true, true, true, true])
    await Promise.all(processes.map(database => database.close()))
    await expectNoSessionState(own)
  })

  test('the service leaves no state in shared sessions', async () => {
    await Promise.all([
      space.owner.spaces.rename({ subdomain: space.subdomain, name: 'Other' }),
      fillSpace(space),
    ])
    await expectNoSessionState(url)
  })
})

const withClient = async <T>(at: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: at })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Checks that no connection of the pooler to a database has session state. Opens as many transactions as the pooler has
 * connections, so that each transaction uses a different connection.
 */
const expectNoSessionState = async (at: string) => {
  const clients = Array.from({ length: POOL_SIZE }, () => new Client({ connectionString: at }))
  for (const client of clients) await client.connect()
  const sessions = new Set<number>()
  for (const client of clients) {
    await client.query('begin')
    const { rows } = await client.query<{ pid: number; state: string[] }>(STATE)
    sessions.add(rows[0]!.pid)
    expect(rows[0]!.state).toEqual([])
  }
  expect(sessions.size).toBe(POOL_SIZE)
  for (const client of clients) await client.query('rollback')
  for (const client of clients) await client.end()
}

/**
 * Selects everything that a session keeps between transactions, except the driver's parameters and its prepared
 * statements, because the pooler tracks both.
 */
const STATE = `
  select pg_backend_pid() as pid, array(
    select name from pg_settings where source = 'session' and name not in
      ('client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings', 'application_name')
    union all select 'statement ' || name from pg_prepared_statements where name not like 'PGBOUNCER\\_%'
    union all select 'lock ' || objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
    union all select 'cursor ' || name from pg_cursors
    union all select 'channel ' || pg_listening_channels()
    union all select 'table ' || relname from pg_class where relpersistence = 't' and pg_table_is_visible(oid)
  ) as state`
