import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../server/settings/settings.ts'
import { domainWarnings, startNotes } from '../../server/settings/start-checks.ts'

describe('settings', () => {
  test('are complete without any environment variables', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      scheme: 'http',
      apiRoot: 'http://localhost:3000',
      siteDomain: 'sites.localhost:3000',
      docsUrl: 'http://localhost:3000/docs',
      callsPerMinute: 60,
      demo: true,
    })
  })

  test('include the port in every address', () => {
    const { apiRoot, filesDomain } = readSettings({ PORT: '4000' })
    expect([apiRoot, filesDomain]).toEqual(['http://localhost:4000', 'files.localhost:4000'])
  })

  test('use https for public domains', () => {
    expect(readSettings({ SITE_DOMAIN: 'sites.example' }).scheme).toBe('https')
    expect(readSettings({ SITE_DOMAIN: 'sites.example', PUBLIC_SCHEME: 'http' }).scheme).toBe('http')
  })

  test.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ API_ROOT: 'http://127.0.0.1:3000' }, true],
    [{ API_ROOT: 'http://[::1]:3000', SITE_DOMAIN: 'my.localhost:3000' }, true],
    [{ DATABASE_URL: 'postgresql://localhost/x' }, false],
    [{ API_ROOT: 'https://space.example' }, false],
    [{ API_ROOT: 'http://192.168.0.2:3000' }, false],
    [{ API_ROOT: 'http://localhost.example' }, false],
    [{ SITE_DOMAIN: 'sites.example' }, false],
    [{ POSTS_DOMAIN: 'posts.example:8080' }, false],
  ])('of %j open the sign-up and create a demo by default: %s', (environment, isOpen) => {
    const { demo, signUp } = readSettings(environment)
    expect([demo, signUp]).toEqual([isOpen, isOpen ? 'open' : 'invite'])
    const chosen = readSettings({
      ...environment,
      DEMO: isOpen ? '0' : '1',
      SIGN_UP: isOpen ? 'invite' : 'open',
    })
    expect([chosen.demo, chosen.signUp]).toEqual([!isOpen, isOpen ? 'invite' : 'open'])
  })

  test('that a public address has switched off are named at the start, unless the operator has decided', () => {
    const API_ROOT = 'https://space.example'
    expect(startNotes({})).toEqual([])
    expect(startNotes({ API_ROOT })).toEqual([
      'The service is public, so only invited people can create an account (SIGN_UP=invite), and there is no demo space (DEMO=0)',
    ])
    expect(startNotes({ API_ROOT, SIGN_UP: 'open' })).toEqual([
      'The service is public, so there is no demo space (DEMO=0)',
    ])
    expect(startNotes({ API_ROOT, SIGN_UP: 'open', DEMO: '0' })).toEqual([])
  })

  test('keep files in a store only if its address is set', () => {
    const FILE_STORE_URL = 'https://s3.example/files/live'
    const fileStore = (variables: Record<string, string>) => readSettings(variables).fileStore
    expect(fileStore({ FILE_STORE_KEEP_DAYS: '30' })).toBeUndefined()
    expect(fileStore({ FILE_STORE_URL })).toEqual({
      url: FILE_STORE_URL,
      region: 'us-east-1',
      credentials: undefined,
      takesNew: true,
      keepDays: 7,
    })
    expect(
      fileStore({
        FILE_STORE_URL,
        FILE_STORE_KEY_ID: 'id',
        FILE_STORE_SECRET: 'x',
        FILE_STORE_NEW_FILES: '0',
      }),
    ).toMatchObject({ credentials: { accessKeyId: 'id', secretAccessKey: 'x' }, takesNew: false })
    expect(() => fileStore({ FILE_STORE_URL, FILE_STORE_KEY_ID: 'id' })).toThrow('must be set together')
  })

  test('divide the default number of workers among several processes', () => {
    const one = readSettings({}).renderProcesses
    expect(readSettings({ WEB_CONCURRENCY: '2' }).renderProcesses).toBe(Math.ceil(one / 2))
    expect(readSettings({ WEB_CONCURRENCY: '64' }).renderProcesses).toBe(1)
    expect(readSettings({ WEB_CONCURRENCY: '64', RENDER_PROCESSES: '3' }).renderProcesses).toBe(3)
  })

  test('give each process a port for metrics that is not the port of the service', () => {
    const variables = { WEB_CONCURRENCY: '4', PORT: '9103' }
    expect(readSettings({ ...variables, METRICS_PORT: '9104' }).metricsPort).toBe(9104)
    expect(() => readSettings({ ...variables, METRICS_PORT: '9100' })).toThrow('9100 to 9103')
    expect(() => readSettings({ ...variables, METRICS_PORT: '65534' })).toThrow(
      'METRICS_PORT + 3 must not exceed 65535',
    )
  })

  test('turn tracing on only if a collector is configured', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318/'
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'http://localhost:4318/own'
    const tracing = (variables: Record<string, string>) => readSettings(variables).tracing
    expect(tracing({})).toBeUndefined()
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
    expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({
      url: 'http://localhost:4318/v1/traces',
      serviceName: 'space-site',
      share: 1,
    })
    expect(
      tracing({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
        OTEL_SERVICE_NAME: 'garden',
        OTEL_TRACES_SAMPLER_ARG: '0',
      }),
    ).toEqual({ url: 'http://localhost:4318/own', serviceName: 'garden', share: 0 })
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['SIGN_UP', 'closed'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://x'],
    ['API_ROOT', 'http://localhost/'],
    ['API_ROOT', 'localhost'],
    ['SITE_DOMAIN', 'https://sites.example'],
    ['PUBLIC_SCHEME', 'ftp'],
    ['REDIS_URL', 'localhost:6379'],
    ['FILE_STORE_URL', 's3://files'],
    ['FILE_STORE_URL', 'https://s3.example'],
    ['FILE_STORE_URL', 'https://s3.example/files?prefix=a'],
    ['FILE_STORE_NEW_FILES', 'no'],
    ['FILE_STORE_KEEP_DAYS', '0'],
    ['CALLS_PER_MINUTE', '-1'],
    ['DEMO', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ])('reject %s=%s with an error that names the variable', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`${name} should`))
  })

  test.each([
    [
      { SITE_DOMAIN: 'x.example', PAGES_DOMAIN: 'x.example' },
      /PAGES_DOMAIN and SITE_DOMAIN must be different/,
    ],
    [{ SITE_DOMAIN: 'x.example', FILES_DOMAIN: 'files.x.example' }, /FILES_DOMAIN and SITE_DOMAIN/],
    [{ SITE_DOMAIN: 'x.example:80', PAGES_DOMAIN: 'x.example:81' }, /PAGES_DOMAIN and SITE_DOMAIN/],
    [{ API_ROOT: 'https://www.x.example', SITE_DOMAIN: 'x.example' }, /SITE_DOMAIN must not contain/],
  ])('reject content domains that share an origin or a parent: %j', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message)
  })

  test('reject the port of the service as the port for metrics', () => {
    expect(() => readSettings({ PORT: '4000', METRICS_PORT: '4000' })).toThrow(/METRICS_PORT must differ/)
    expect(readSettings({ METRICS_PORT: '9464' }).metricsPort).toBe(9464)
    expect(readSettings({}).metricsPort).toBeUndefined()
  })

  test('report all errors together', () => {
    expect(() => readSettings({ PORT: 'x', DEMO: 'y' })).toThrow(/PORT should[\s\S]*DEMO should/)
  })
})

describe('the warnings about content domains', () => {
  const warnings = (environment: Record<string, string>) =>
    domainWarnings(readSettings({ API_ROOT: 'https://www.main.example', ...environment }))

  test('are empty by default', async () => {
    expect(await domainWarnings(readSettings({}))).toEqual([])
  })

  test('are empty for a domain on the Public Suffix List', async () => {
    expect(await warnings({ SITE_DOMAIN: 'github.io' })).toEqual([])
  })

  test.each([
    ['sites.main.example', /SITE_DOMAIN .* shares the registrable domain of API_ROOT/],
    ['sites.other.example', /SITE_DOMAIN .* not a domain that can be registered/],
    ['other.example', /SITE_DOMAIN .* not on the Public Suffix List/],
    ['other.example:8443', /SITE_DOMAIN .* not on the Public Suffix List/],
  ])('mention %s', async (SITE_DOMAIN, warning) => {
    expect(await warnings({ SITE_DOMAIN })).toEqual([expect.stringMatching(warning)])
  })
})

describe('the command config', () => {
  const config = (environment: Record<string, string>) =>
    spawnSync(process.execPath, ['server/main.mjs', 'config'], { env: environment, encoding: 'utf8' })

  test('prints what applies and where it comes from, without secrets', () => {
    const { stdout } = config({
      PORT: '4444',
      DATABASE_URL: 'postgresql://me:hidden@db.example/x',
      FILE_STORE_URL: 'https://s3.example/files',
      FILE_STORE_KEY_ID: 'key',
      FILE_STORE_SECRET: 'hidden',
    })
    expect(stdout).toMatch(/PORT +set +4444\n/)
    expect(stdout).toMatch(/SITE_DOMAIN +default +sites.localhost:4444\n/)
    expect(stdout).toMatch(/SIGN_UP +default +invite\n/)
    expect(stdout).toMatch(/DATABASE_URL +set +postgresql:\/\/me:\*\*\*@db.example\/x\n/)
    expect(stdout).not.toContain('hidden')
  })

  test('says what is wrong with variables', () => {
    const { status, stderr } = config({ PORT: 'x', METRICS_PORT: 'y' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/PORT should be a whole number.*METRICS_PORT should be/s)
  })
})
