import { once } from 'node:events'
import { connect as open } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccount, type TestAccount } from './support/account.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'
import { connect, outcomeOf } from './support/sockets.ts'

/** Maximum duration of a stop, in ms. After about ten seconds, the service would close open connections by force. */
const UNFORCED = 9_000

const UPLOADS = 16

/** A timeout that even a slow machine does not reach. */
const PATIENT = { timeout: 120_000 }

let service: ServiceProcess
let account: TestAccount

beforeAll(async () => {
  service = await startProgram({ CALLS_PER_MINUTE: '1000000' })
  account = await createAccount(service.port, 'stopped')
})
afterAll(() => service.remove())
beforeEach(async () => {
  if (service.hasEnded) await service.start()
})

const spacePath = () => `/v1/spaces/${account.subdomain}`

/**
 * Sends SIGTERM, and resolves once the service accepts no more connections. `ended` resolves with the duration of the
 * stop in ms.
 */
const stop = async () => {
  const since = performance.now()
  const ended = service.end('SIGTERM').then(code => {
    expect(code).toBe(0)
    return performance.now() - since
  })
  await expect.poll(() => service.log(), PATIENT).toContain('"msg":"stopping"')
  return { ended }
}

const expectUnforced = (title: string, duration: number) => {
  process.stdout.write(`${title}: stopped in ${Math.round(duration)} ms\n`)
  expect(duration).toBeLessThan(UNFORCED)
}

test('a stop completes the requests in flight and closes the connections', async () => {
  const body = JSON.stringify({
    name: 'x.bin',
    content: Buffer.alloc(300_000).toString('base64'),
    encoding: 'base64',
  })
  const half = body.length / 2
  const head = [
    `POST ${spacePath()}/files HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${account.key.authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n')
  const uploads = Array.from({ length: UPLOADS }, () =>
    connect(service.port, head + body.slice(0, half), '127.0.0.1'),
  )
  const idle = open({ host: '127.0.0.1', port: service.port })
  await once(idle, 'connect')
  await expect
    .poll(() => service.metric('space_site_request_body_bytes'), PATIENT)
    .toBe(UPLOADS * Math.floor(half))
  const { ended } = await stop()
  for (const { socket } of uploads) socket.write(body.slice(half))
  expectUnforced('uploads', await ended)
  await expect.poll(() => uploads.every(({ isClosed }) => isClosed())).toBe(true)
  expect(uploads.map(outcomeOf)).toEqual(Array(UPLOADS).fill('201'))
  for (const { received } of uploads) expect(received()).toMatch(/^connection: close\r$/im)
  await service.start()
  const { text } = await call(service.port, { path: `${spacePath()}/files`, headers: account.key })
  expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(UPLOADS)
})

test('during a stop under load, each request is answered or refused, and no acknowledged write is lost', async () => {
  const outcomes = new Set<number | string>()
  const acknowledged: number[] = []
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let n = 1; ; n++) {
      const path = `${spacePath()}/data/client-${client}`
      const isWrite = n % 2 === 1
      const { status, error } = await call(service.port, {
        path,
        headers: account.key,
        ...(isWrite ? { method: 'PUT', body: JSON.stringify({ value: n }) } : {}),
      })
      outcomes.add(error ?? status)
      if (isWrite && status !== 0) acknowledged[client] = n
      if (error === 'ECONNREFUSED') return
    }
  })
  await expect.poll(() => acknowledged.filter(n => n >= 5).length, PATIENT).toBe(clients.length)
  const { ended } = await stop()
  expectUnforced('load', await ended)
  await Promise.all(clients)
  // ECONNRESET is possible because the system resets connections that the service has not accepted yet.
  expect([200, 201, 'ECONNREFUSED', 'ECONNRESET']).toEqual(expect.arrayContaining([...outcomes]))
  await service.start()
  for (const [client, n] of acknowledged.entries()) {
    const { text } = await call(service.port, {
      path: `${spacePath()}/data/client-${client}`,
      headers: account.key,
    })
    expect((JSON.parse(text) as { value: number }).value).toBeGreaterThanOrEqual(n)
  }
})

// Retries, because a service that stops closes a connection with incomplete headers after a second.
test('/readyz returns 503 with the status `stopping` while the service stops', { retry: 2 }, async () => {
  // The second request is incomplete, which keeps the connection open for a moment during the stop.
  const connection = connect(
    service.port,
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /readyz HTTP/1.1\r\nHost: localhost\r\n',
    '127.0.0.1',
  )
  await expect.poll(connection.received, PATIENT).toContain('HTTP/1.1 200')
  const { ended } = await stop()
  connection.socket.write('\r\n')
  await ended
  await expect.poll(connection.isClosed).toBe(true)
  expect(connection.received()).toContain('HTTP/1.1 503')
  expect(connection.received()).toContain('{"status":"stopping"}')
})
