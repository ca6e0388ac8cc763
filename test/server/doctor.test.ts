import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createBackup } from '../../db/backup/create.ts'
import { diagnose } from '../../server/doctor/diagnose.ts'
import type { Finding } from '../../server/doctor/finding.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

/** What the proxy does wrong. */
interface Misbehaviour {
  host?: string
  scheme?: string
  hidesAddress?: boolean
  /** Returns the first response again and again. */
  caches?: boolean
  /** Refuses bodies above 1 MB, as nginx does unless it is told otherwise. */
  limitsBodies?: boolean
  /** Collects bodies before it passes requests on. */
  collects?: boolean
  /** Answers requests for names below this label itself. */
  swallows?: string
}

let service: TestService
let proxy: http.Server
let misbehaviour: Misbehaviour = {}
let port: number
let folder: string
/** The environment of a service that works. */
let environment: Record<string, string>

const forward: http.RequestListener = (req, res) => {
  const { host = '' } = req.headers
  const { swallows, hidesAddress, scheme = 'http' } = misbehaviour
  if (swallows && host.includes(swallows)) return void res.end('Welcome to nginx!')
  if (misbehaviour.limitsBodies && Number(req.headers['content-length']) > 1_000_000)
    return void res.writeHead(413).end()
  const forwarded = hidesAddress ? {} : { 'x-forwarded-for': '203.0.113.7' }
  const path = misbehaviour.caches ? req.url!.replace(/id=.*/, 'id=first') : req.url
  const headers = {
    ...req.headers,
    ...forwarded,
    host: misbehaviour.host ?? host,
    'x-forwarded-proto': scheme,
  }
  const passOn = () => {
    const { method } = req
    const outgoing = http.request({ port: service.port, method, path, headers, agent: false }, answer => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    req.pipe(outgoing.on('error', () => {}))
  }
  if (!misbehaviour.collects) passOn()
  else void buffer(req).then(passOn, () => {})
}

beforeAll(async () => {
  proxy = http.createServer(forward)
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  port = (proxy.address() as AddressInfo).port
  const domains = {
    siteDomain: `sites.localhost:${port}`,
    pagesDomain: `pages.localhost:${port}`,
    filesDomain: `files.localhost:${port}`,
    postsDomain: `posts.localhost:${port}`,
  }
  service = await startTestService({
    ...domains,
    apiRoot: `http://localhost:${port}`,
    trustedProxies: ['loopback'],
  })
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-doctor-'))
  const { location } = service.core.database
  environment = {
    PORT: String(port),
    DATABASE_URL: 'url' in location ? location.url : '',
    TRUSTED_PROXIES: 'loopback',
    MIN_FREE_DISK_MIB: '0',
  }
})
afterEach(() => {
  misbehaviour = {}
})
afterAll(async () => {
  await service.stop()
  proxy.close()
  await rm(folder, { recursive: true, force: true })
})

type Network = NonNullable<Parameters<typeof diagnose>[2]>['network']

const findings = (changes: Record<string, string> = {}, network?: Network): Promise<Finding[]> =>
  diagnose({ ...environment, ...changes }, pino({ level: 'silent' }), network && { network })

/** Returns the faults, as lines. */
const faults = async (changes?: Record<string, string>, network?: Network): Promise<string[]> =>
  (await findings(changes, network))
    .filter(({ state }) => state === 'fault')
    .map(({ check, found, fix }) => `${check}: ${found} ${fix}`)

test('an installation without faults has none', async () => {
  const all = await findings()
  expect(all.filter(({ state }) => state === 'fault')).toEqual([])
  expect(all).toContainEqual(expect.objectContaining({ check: 'uploads', state: 'good' }))
  expect(all.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['settings', 'database', 'migrations', 'main site', 'proxy', 'SITE_DOMAIN']),
  )
})

const fileStore = (url: string) => ({ FILE_STORE_URL: url, FILE_STORE_KEY_ID: 'x', FILE_STORE_SECRET: 'x' })
const at = (change: (url: URL) => void): string => {
  const url = new URL(environment.DATABASE_URL!)
  change(url)
  return url.href
}

describe('settings with a fault', () => {
  test.each<[string, () => Record<string, string>, RegExp]>([
    ['a variable that is not valid', () => ({ PORT: 'x' }), /^settings: PORT should be/],
    [
      'a public address without content domains',
      () => ({ API_ROOT: 'https://space.example' }),
      /^settings: SITE_DOMAIN.* must be set/,
    ],
    ['a disk that is almost full', () => ({ MIN_FREE_DISK_MIB: '1000000000' }), /^disk .*Free space/],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: at(url => (url.pathname = '/nowhere')) }),
      /^database: .*3D000/,
    ],
    ['more connections than the server allows', () => ({ DATABASE_POOL: '1000' }), /^database connections: /],
    [
      'a file store that is away',
      () => fileStore('http://127.0.0.1:1/bucket'),
      /^file store: The bucket cannot be listed/,
    ],
    [
      'a rate store that is away',
      () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
      /^shared rate limits: .*ECONNREFUSED/,
    ],
    [
      'a collector that is away',
      () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:2' }),
      /^traces: .*ECONNREFUSED/,
    ],
    [
      'a service that does not run',
      () => ({ API_ROOT: 'http://localhost:1' }),
      /^main site: .*ECONNREFUSED.* Start the service/,
    ],
    [
      'the address of another program',
      () => ({ API_ROOT: `http://localhost:${port}/welcome` }),
      /^main site: .*not as this service/,
    ],
  ])('is found: %s', async (_, changes, expected) => {
    expect(await faults(changes())).toContainEqual(expect.stringMatching(expected))
  })
})

describe('a proxy with a fault', () => {
  test.each<[string, Misbehaviour, RegExp]>([
    [
      'passes another host name',
      { host: 'localhost.internal' },
      /^proxy: It passes the host name "localhost.internal"/,
    ],
    ['passes another scheme', { scheme: 'https' }, /^proxy: The service takes requests for https/],
    ['caches', { caches: true }, /^proxy: It returns a response from its cache/],
    [
      'does not pass names below a content domain',
      { swallows: '.files.' },
      /^FILES_DOMAIN: .*does not lead to this service/,
    ],
    ['refuses uploads', { limitsBodies: true }, /^uploads: The proxy refuses a body of 15 MB: 413/],
  ])('is found: it %s', async (_, wrong, expected) => {
    misbehaviour = wrong
    expect(await faults()).toContainEqual(expect.stringMatching(expected))
  })

  test('is found: it collects requests', async () => {
    misbehaviour = { collects: true }
    expect(await findings({}, { uploadPatience: 200 })).toContainEqual(
      expect.objectContaining({
        check: 'uploads',
        state: 'warning',
        found: expect.stringMatching(/collects/),
      }),
    )
  })

  test('is found: the service does not trust it', async () => {
    const trusting = service
    service = await startTestService({ apiRoot: `http://localhost:${port}` })
    try {
      expect(await faults()).toContainEqual(
        expect.stringMatching(/^proxy: All visitors share the limits of the proxy/),
      )
    } finally {
      await service.stop()
      service = trusting
    }
  })

  test('is found: it hides the address of visitors', async () => {
    misbehaviour = { hidesAddress: true }
    const lookup = resolveTo('127.0.0.1')
    expect(await faults(publicAddresses(), { lookup })).toContainEqual(
      expect.stringMatching(/^proxy: It does not pass the address/),
    )
  })
})

type Lookup = NonNullable<NonNullable<Network>['lookup']>

const resolveTo =
  (address: string): Lookup =>
  (_name, options, callback) =>
    options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)

const publicAddresses = (scheme = 'http', at = port) => ({
  API_ROOT: `${scheme}://space.example:${at}`,
  SITE_DOMAIN: `space-sites.example:${at}`,
  PAGES_DOMAIN: `space-pages.example:${at}`,
  FILES_DOMAIN: `space-files.example:${at}`,
  POSTS_DOMAIN: `space-posts.example:${at}`,
  PUBLIC_SCHEME: scheme,
})

test.each([
  ['space.example', /^main site: space.example does not resolve.* Add an A or AAAA record for it/],
  ['.space-posts.example', /^POSTS_DOMAIN: .*does not resolve.* record for \*\.space-posts.example/],
])('a name that does not resolve is found: %s', async (missing, expected) => {
  const lookup: Lookup = (name, ...rest) =>
    name.endsWith(missing)
      ? rest[1](Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '')
      : resolveTo('127.0.0.1')(name, ...rest)
  expect(await faults(publicAddresses(), { lookup })).toContainEqual(expect.stringMatching(expected))
})

describe('a certificate', () => {
  /** Runs the checks with the proxy behind https, with one of the certificates beside this file. */
  const withCertificate = async (name: string, isTrusted = true) => {
    const pem = await readFile(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8')
    misbehaviour = { scheme: 'https' }
    const secured = https.createServer({ key: pem, cert: pem }, forward)
    await new Promise<void>(resolve => secured.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void secured.close())
    const addresses = publicAddresses('https', (secured.address() as AddressInfo).port)
    const lookup = resolveTo('127.0.0.1')
    return findings(addresses, isTrusted ? { lookup, ca: pem } : { lookup })
  }

  test('with all names is good', async () => {
    const all = await withCertificate('valid')
    expect(all).toContainEqual(
      expect.objectContaining({ check: 'certificate of space.example', state: 'good' }),
    )
    expect(all.filter(({ found }) => found.includes('is not valid'))).toEqual([])
  })

  test.each([
    ['that has expired', 'expired', true, /^main site: The certificate of space.example .* expired/],
    [
      'of an unknown authority',
      'valid',
      false,
      /^main site: The certificate of space.example .* self-signed/,
    ],
    [
      'without the names below a content domain',
      'without-wildcards',
      true,
      /^SITE_DOMAIN: The certificate of doctor-\w+.space-sites.example .* wildcard certificate/,
    ],
  ])('%s is found', async (_, name, isTrusted, expected) => {
    const lines = (await withCertificate(name, isTrusted))
      .filter(({ state }) => state === 'fault')
      .map(({ check, found, fix }) => `${check}: ${found} ${fix}`)
    expect(lines).toContainEqual(expect.stringMatching(expected))
  })
})

describe('migrations', () => {
  const database = () => service.core.database

  test.each([
    ['a newer version', 'Migration20990101000000_later', 'warning', 'A newer version has migrated'],
    ['a version before 1.0.0', 'Migration20261121000000_first', 'fault', 'A version before 1.0.0'],
  ])('of %s are found', async (_, name, state, found) => {
    await sql`insert into mikro_orm_migrations (name) values (${name})`.execute(database())
    expect(await findings()).toContainEqual(
      expect.objectContaining({ check: 'migrations', state, found: expect.stringContaining(found) }),
    )
    await sql`delete from mikro_orm_migrations where name = ${name}`.execute(database())
  })
})

describe('backups of the embedded database', () => {
  const found = async (changes: Record<string, string> = {}) =>
    (await findings({ DATABASE_URL: '', DATA_DIR: folder, BACKUP_DIR: folder, ...changes })).filter(
      ({ check }) => check === 'backups',
    )
  const file = () => path.join(folder, 'space-site-2026-01-01T00-00-00.backup')

  test('are found missing', async () => {
    expect(await found()).toMatchObject([
      { state: 'warning', found: expect.stringContaining('There is none') },
    ])
    expect(await found({ BACKUP_HOURS: '0' })).toMatchObject([{ state: 'warning', fix: 'Set BACKUP_HOURS.' }])
  })

  test('are good if the newest is recent and intact, except that the disk is that of the database', async () => {
    await createBackup(service.core.database.location, file(), {})
    expect((await found()).map(({ state }) => state)).toEqual(['good', 'good', 'warning'])
  })

  test('are found too old, and damaged', async () => {
    await writeFile(file(), 'space-site backup 1\nnothing')
    await utimes(file(), 0, 0)
    expect((await found()).map(({ state }) => state)).toEqual(['fault', 'fault', 'warning'])
  })
})
