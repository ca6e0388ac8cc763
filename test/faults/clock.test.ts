import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, PASSWORD, type TestAccount } from './support/account.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

const HOUR = 3_600_000

let service: ServiceProcess
let account: TestAccount

beforeAll(async () => {
  const hook = fileURLToPath(new URL('./support/shift-clock.mjs', import.meta.url))
  service = await startProgram({ NODE_OPTIONS: `--import ${hook}`, CALLS_PER_MINUTE: '20' })
  account = await createAccount(service.port, 'keeper')
})
afterAll(() => service.remove())

const request = (method: string, path: string, body?: object, headers: object = account.key) =>
  call(service.port, {
    method,
    path: `/v1${path}`,
    headers: { ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

test('after the clock was set back by an hour, updated_at still increases, and sessions and limits still work', async () => {
  const pages = `/spaces/${account.subdomain}/pages`
  const created = JSON.parse((await request('POST', pages, { slug: 'a', html: 'x' })).text) as {
    id: string
    updated_at: string
  }
  const { headers } = await request('GET', pages)
  const remaining = Number(headers['ratelimit-remaining'])

  process.kill(service.pid, 'SIGUSR2')
  await expect.poll(() => service.log(), { timeout: 60_000 }).toContain('The clock was set back.')

  const later = JSON.parse((await request('POST', pages, { slug: 'b', html: 'x' })).text) as typeof created
  expect(Date.parse(later.updated_at)).toBeLessThan(Date.parse(created.updated_at) - HOUR / 2)
  const change = await request('PATCH', `${pages}/${created.id}`, { html: 'y' })
  expect(change.status).toBe(200)
  const { updated_at } = JSON.parse(change.text) as typeof created
  expect(updated_at > created.updated_at).toBe(true)

  // The clock change did not start a new window of the rate limit, and the window still ends within a minute.
  expect(Number(change.headers['ratelimit-remaining'])).toBe(remaining - 2)
  expect(Number(change.headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
  let last = change
  for (let n = 0; n < 20 && last.status !== 429; n++) last = await request('GET', pages)
  expect(last.status).toBe(429)
  expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(60)

  // Sessions from before the change still work, and so do new ones.
  await account.procedure('spaces.create', { subdomain: 'after-that', name: 'x' })
  const signIn = await call(service.port, {
    path: '/trpc/sessions.create',
    body: JSON.stringify({ handle: account.handle, password: PASSWORD }),
  })
  expect(signIn.status).toBe(200)
  const site = await call(service.port, {
    path: '/a',
    headers: { host: `${account.subdomain}.sites.localhost:${service.port}` },
  })
  expect(site.status).toBe(200)
  expect(service.log()).not.toContain('"msg":"fault"')
})
