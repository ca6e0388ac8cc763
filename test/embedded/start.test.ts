import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, ensureDatabase, startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { newFolder, query, startTestServer } from './folders.ts'

describe('a server', () => {
  let folder: string
  let server: EmbeddedPostgres
  const lines: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'embedded-'))
    const settings = { max_connections: '7' }
    server = await startEmbeddedPostgres({
      folder,
      durable: false,
      settings,
      onLog: line => lines.push(line),
    })
  })

  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  test('listens on a socket and on no network address', async () => {
    expect(await query(server, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await query(server, 'select inet_server_addr() as address')).toEqual([{ address: null }])
    expect(path.isAbsolute(server.connection.host)).toBe(true)
  })

  test('gives other users no access to its socket', async () => {
    expect((await stat(server.connection.host)).mode & 0o077).toBe(0)
  })

  test('never runs as root', async () => {
    // PostgreSQL runs as the owner of the data.
    expect((await stat(path.join(folder, 'data'))).uid).not.toBe(0)
  })

  test('stores Unicode, sorts by code point and uses UTC', async () => {
    const words = "(values ('é'), ('z'), ('a'), ('Z'), ('\u{1F600}'), ('\uFB01')) as t (word)"
    const rows = await query<{ word: string }>(server, `select word from ${words} order by word`)
    expect(rows.map(row => row.word)).toEqual(['Z', 'a', 'z', 'é', '\uFB01', '\u{1F600}'])
    expect(await query(server, "select current_setting('timezone') as zone, upper('é') as upper")).toEqual([
      { zone: 'UTC', upper: 'É' },
    ])
  })

  test('uses the settings of the caller instead of its defaults', async () => {
    expect(await query(server, 'show max_connections')).toEqual([{ max_connections: '7' }])
  })

  test('passes its log to the caller, and the log contains no SQL that clients sent', async () => {
    await expect(query(server, "select 'a secret'::int")).rejects.toThrow('invalid input syntax')
    // Wait for a later line in the log: a line about the failed statement would come before it.
    await query(server, "do $$ begin raise log 'a later line'; end $$")
    await expect.poll(() => lines.join('\n')).toContain('a later line')
    expect(lines.join('\n')).toContain('ready to accept connections')
    expect(lines.join('\n')).not.toContain('secret')
  })

  test('creates a database once for concurrent callers', async () => {
    await Promise.all([1, 2, 3, 4].map(() => ensureDatabase(server, 'Odd "name"')))
    await ensureDatabase(server, 'Odd "name"')
    expect(await query(server, "select datname from pg_database where datname like 'Odd%'")).toEqual([
      { datname: 'Odd "name"' },
    ])
  })

  test('creates a database from a template', async () => {
    await ensureDatabase(server, 'pattern')
    await query(server, 'create table brought (along int)', 'pattern')
    await ensureDatabase(server, 'copy', 'pattern')
    expect(await query(server, 'select * from brought', 'copy')).toEqual([])
  })
})

test('the data survives a restart', async () => {
  const folder = await newFolder()
  const first = await startTestServer({ folder, durable: true })
  await ensureDatabase(first, 'kept')
  await query(first, "create table note as select 'here' as said", 'kept')
  await first.stop()
  const second = await startTestServer({ folder })
  expect(await query(second, 'select said from note', 'kept')).toEqual([{ said: 'here' }])
})

test('concurrent calls of stop() shut the server down once and disconnect its clients', async () => {
  const folder = await newFolder()
  const server = await startTestServer({ folder })
  const waiting = query(server, 'select pg_sleep(60)')
  await expect
    .poll(() => query(server, "select from pg_stat_activity where query like '%sleep(60)'"))
    .not.toEqual([])
  await Promise.all([expect(waiting).rejects.toThrow('terminating connection'), server.stop(), server.stop()])
  await server.stop()
  await expect(query(server, 'select 1')).rejects.toThrow('ENOENT')
})

test('a start succeeds in a folder whose path is too long for a socket', async () => {
  const folder = path.join(await newFolder(), ...Array<string>(12).fill('a-rather-long-name'))
  const server = await startTestServer({ folder })
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(server.connection.host)).mode & 0o077).toBe(0)
  await server.stop()
  await expect(stat(server.connection.host)).rejects.toThrow('ENOENT')
})

test('a start uses another folder for the socket if the data folder cannot hold the socket', async () => {
  const folder = await newFolder()
  await (await startTestServer({ folder })).stop()
  await mkdir(path.join(folder, 'data', '.s.PGSQL.5432'))
  const server = await startTestServer({ folder })
  expect(server.connection.host).not.toContain(folder)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a start succeeds below a folder that other users cannot access', async () => {
  const folder = await newFolder()
  await mkdir(path.join(folder, 'closed'), { mode: 0o700 })
  const server = await startTestServer({ folder: path.join(folder, 'closed', 'project') })
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})
