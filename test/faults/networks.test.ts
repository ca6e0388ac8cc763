import { afterAll, beforeAll, expect, test } from 'vitest'
import { attack } from './support/attack.ts'
import { addBystander, type Bystander } from './support/bystander.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

const LIMIT = 60

let service: ServiceProcess
let bystander: Bystander

beforeAll(async () => {
  service = await startProgram({
    TRUSTED_PROXIES: 'loopback',
    ANONYMOUS_CALLS_PER_MINUTE: String(LIMIT),
    CALLS_PER_MINUTE: '1000000',
  })
  bystander = await addBystander(service)
})
afterAll(() => service.remove())

test('the addresses of a /64 share one rate limit, and those of a /48 share a limit ten times as high', async () => {
  const { result, report } = await bystander.during(() => attack('many-addresses', { port: service.port }))
  report.check('many addresses')
  process.stdout.write(`many addresses: ${JSON.stringify(result)}\n`)
  expect(Object.keys(result).sort()).toEqual(['/48 200', '/48 429', '/64 200', '/64 429'])
  // Twice the limit, because the one-minute window can end during the attack.
  expect(result['/64 200']).toBeLessThanOrEqual(2 * LIMIT)
  expect(result['/48 200']).toBeLessThanOrEqual(2 * 10 * LIMIT)
  const entry = { path: '/trpc/accounts.entry' }
  expect(
    (await call(service.port, { ...entry, headers: { 'x-forwarded-for': '2001:db8:3::1' } })).status,
  ).toBe(200)
})
