/** What the start refuses or warns about, in the words that an operator reads. */
import { writeFile } from 'node:fs/promises'
import { describe, expect, inject, test } from 'vitest'
import { readSettings } from '../../server/settings/settings.ts'
import { startFaults, startWarnings } from '../../server/settings/start-checks.ts'
import { variables } from '../../server/settings/variables.ts'
import { newFolder } from '../backup/support/databases.ts'
import { copyDatabase } from '../support/database.ts'
import { freePort, run } from '../support/program.ts'

/** Starts the program, which must refuse, and returns what it printed. */
const refusal = async (environment: Record<string, string>) => {
  const program = run('server/main.mjs', { PORT: String(await freePort()), ...environment })
  expect(await program.end()).toBe(1)
  expect(program.log()).not.toMatch(/\n\s+at /)
  return program.log()
}

/** For each variable, a wrong value. Variables that accept every text are in `FREE`. */
const WRONG: Readonly<Record<string, string>> = {
  DATABASE_URL: 'mysql://user:secret@host/x',
  REDIS_URL: 'http://:secret@host',
  FILE_STORE_URL: 's3://key:secret@host',
  TRUSTED_PROXIES: '10.0.0.0/33, loopbak',
  OPERATORS: 'a b',
  SITE_DOMAIN: 'https://x.example',
  PAGES_DOMAIN: 'X.example',
  FILES_DOMAIN: 'x.example/',
  POSTS_DOMAIN: 'x_example',
  PUBLIC_SCHEME: 'ftp',
  API_ROOT: 'x.example',
  DOCS_URL: '/docs',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector:4318',
}
const FREE = new Set([
  'HOST',
  'DATA_DIR',
  'BACKUP_DIR',
  'FILE_STORE_REGION',
  'FILE_STORE_KEY_ID',
  'FILE_STORE_SECRET',
  'FRONT_PAGE_TITLE',
  'FRONT_PAGE_TEXT',
  'OTEL_SERVICE_NAME',
])

const names = Object.keys(variables).filter(name => !FREE.has(name))

test('all wrong variables are reported at once, each with its value, but without passwords', async () => {
  const environment = Object.fromEntries(names.map(name => [name, WRONG[name] ?? 'wrong-1']))
  const text = await refusal(environment)
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} .*it is "`, 'm'))
  expect(text).not.toContain('secret')
  expect(text).toContain('"loopbak"')
})

describe('a database that cannot be used', () => {
  const { url } = inject('database')
  const changed = (change: (address: URL) => void) => {
    const address = new URL(url)
    change(address)
    return address.href
  }

  test.each([
    [
      'a wrong database',
      () => changed(address => (address.pathname = '/nowhere')),
      '(3D000). Correct the name',
    ],
    ['a wrong port', () => 'postgresql://someone:secret@127.0.0.1:1/x', '(ECONNREFUSED). Start the server'],
    ['a wrong host', () => 'postgresql://someone:secret@nowhere.invalid/x', 'Correct the host'],
  ])('is explained: %s', async (_, addressOf, advice) => {
    const text = await refusal({ DATABASE_URL: addressOf() })
    expect(text).toContain('Cannot use the database at DATABASE_URL, "postgresql://')
    expect(text).toContain(advice)
    expect(text).not.toContain('secret')
  })
})

test('an operator without an account is named in the log', async () => {
  const program = run('server/main.mjs', {
    PORT: String(await freePort()),
    DATABASE_URL: await copyDatabase(inject('database')),
    OPERATORS: 'somebody',
  })
  await program.waitForOutput(/Space Site is running/)
  expect(await program.end('SIGTERM')).toBe(0)
  expect(program.log()).toContain('OPERATORS names \\"somebody\\", but no account has this handle')
})

describe('the surroundings', () => {
  const faults = (environment: Record<string, string>, openFiles?: number) =>
    startFaults(readSettings(environment), environment, openFiles)

  test('are fine by default', async () => {
    expect(await faults({}, 1_000_000)).toEqual([])
    expect(startWarnings(readSettings({}), 1_000_000)).toEqual([])
  })

  test('are checked before the start', async () => {
    const file = `${await newFolder()}/file`
    await writeFile(file, '')
    const text = await refusal({
      API_ROOT: 'https://example.com',
      BACKUP_DIR: file,
      SITE_DOMAIN: 'x.example',
    })
    expect(text).toContain('PAGES_DOMAIN, FILES_DOMAIN, POSTS_DOMAIN must be set, because API_ROOT is public')
    expect(text).toContain(`BACKUP_DIR should be a folder that this user can write to; it is "${file}"`)
  })

  test('include the limit of open files', async () => {
    expect(await faults({}, 200)).toEqual([
      'The limit of open files is 200, and the service needs at least 500; raise it with ulimit -n, or LimitNOFILE in a unit file of systemd',
    ])
    expect(startWarnings(readSettings({}), 1_000)).toEqual([
      expect.stringContaining('too low for MAX_CONNECTIONS=2000: raise it to 2300'),
    ])
  })

  test('include a proxy that is not trusted', () => {
    const warnings = (environment: Record<string, string>) =>
      startWarnings(readSettings({ API_ROOT: 'https://example.com', ...environment }), undefined)
    expect(warnings({})).toEqual([expect.stringContaining('Set TRUSTED_PROXIES=loopback')])
    expect(warnings({ TRUSTED_PROXIES: 'loopback' })).toEqual([])
    expect(warnings({ HOST: '0.0.0.0' })).toEqual([])
  })
})
