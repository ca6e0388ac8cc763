import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type TestAccount } from './support/account.ts'
import { attack, scale } from './support/attack.ts'
import { addBystander, type Bystander, expectMemoryBelow, MEMORY_AFTER } from './support/bystander.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'
import { connect } from './support/sockets.ts'

let service: ServiceProcess
let bystander: Bystander
let account: TestAccount

beforeAll(async () => {
  service = await startProgram({ IDLE_SECONDS: '5', CALLS_PER_MINUTE: '1000000' })
  bystander = await addBystander(service)
  account = await createAccount(service.port, 'attacker')
})
afterAll(() => service.remove())

test('clients that never read their responses are disconnected', async () => {
  const { text } = await call(service.port, {
    path: `/v1/spaces/${account.subdomain}/files`,
    headers: account.key,
    body: JSON.stringify({
      name: 'x.bin',
      content: Buffer.alloc(10_000_000).toString('base64'),
      encoding: 'base64',
    }),
  })
  const { host } = new URL((JSON.parse(text) as { url: string }).url)
  const { result, report } = await bystander.during(() =>
    attack('silent-readers', {
      port: service.port,
      facts: { host, metricsPort: String(service.metricsPort) },
    }),
  )
  report.check('silent readers')
  expect(result).toEqual({ closed: 80 * scale })
  await expectMemoryBelow(service, MEMORY_AFTER)
})

test('a body that arrives too slowly is refused, even if its connection is never idle', async () => {
  const { socket, received } = connect(
    service.port,
    'POST /trpc/sessions.create HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
    '127.0.5.1',
  )
  const dripping = setInterval(() => socket.write(' '), 250)
  await expect.poll(received, { timeout: 120_000 }).toContain('The request body arrived too slowly.')
  clearInterval(dripping)
  expect(received()).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})

test('a thousand slow clients do not delay others', async () => {
  const { result, report } = await bystander.during(() =>
    attack('slow-clients', { port: service.port, facts: { seconds: '4' } }),
  )
  report.check('slow clients')
  await expectMemoryBelow(service, MEMORY_AFTER)
  expect(['open', 'closed', '400', '408']).toEqual(expect.arrayContaining(Object.keys(result)))
})
