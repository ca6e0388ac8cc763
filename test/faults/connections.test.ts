import { once } from 'node:events'
import { connect as open } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type TestAccount } from './support/account.ts'
import { attack } from './support/attack.ts'
import { addBystander, type Bystander } from './support/bystander.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'
import { connect, outcomeOf } from './support/sockets.ts'

let service: ServiceProcess
let bystander: Bystander
let account: TestAccount

beforeAll(async () => {
  service = await startProgram({ IDLE_SECONDS: '5', CALLS_PER_MINUTE: '1000000' })
  bystander = await addBystander(service)
  account = await createAccount(service.port, 'attacker')
})
afterAll(() => service.remove())

const upload = (size: number) =>
  JSON.stringify({ name: 'x.bin', content: Buffer.alloc(size).toString('base64'), encoding: 'base64' })

const filesPath = () => `/v1/spaces/${account.subdomain}/files`

test('clients that never read their responses are disconnected', async () => {
  const { text } = await call(service.port, {
    path: filesPath(),
    headers: account.key,
    body: upload(10_000_000),
  })
  const { host } = new URL((JSON.parse(text) as { url: string }).url)
  const { result, report } = await bystander.during(() =>
    attack('silent-readers', { port: service.port, facts: { host, seconds: '20' } }),
  )
  report.check('silent readers')
  // On a busy machine, the last clients connect too late to be disconnected during the attack.
  expect(result.closed).toBeGreaterThan(0)
})

test('a thousand slow clients do not delay others', async () => {
  const { result, report } = await bystander.during(() =>
    attack('slow-clients', { port: service.port, facts: { seconds: '4' } }),
  )
  report.check('slow clients')
  expect(['open', 'closed', '400', '408']).toEqual(expect.arrayContaining(Object.keys(result)))
})

test('a stop completes the requests in flight and closes the connections', async () => {
  const body = upload(300_000)
  const half = body.length / 2
  const head = [
    `POST ${filesPath()} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${account.key.authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n')
  const uploads = Array.from({ length: 16 }, () =>
    connect(service.port, head + body.slice(0, half), '127.0.0.1'),
  )
  const idle = open({ host: '127.0.0.1', port: service.port })
  await once(idle, 'connect')
  await sleep(300)
  const since = performance.now()
  const ended = service.end('SIGTERM')
  await sleep(200)
  for (const { socket } of uploads) socket.write(body.slice(half))
  expect(await ended).toBe(0)
  process.stdout.write(`stopped in ${Math.round(performance.now() - since)} ms\n`)
  expect(uploads.map(outcomeOf)).toEqual(Array(16).fill('201'))
  for (const { received } of uploads) expect(received()).toMatch(/^connection: close\r$/im)
  // Less than the time after which open connections are closed by force.
  expect(performance.now() - since).toBeLessThan(9_000)
  await service.start()
  const { text } = await call(service.port, { path: filesPath(), headers: account.key })
  expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(17)
})
