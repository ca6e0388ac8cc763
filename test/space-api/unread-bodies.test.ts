import { expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { head, openConnection } from './support/http.ts'

const service = useTestService()

const body = Buffer.alloc(2_000_000, 'x')

/** Returns the head of a request that is refused before its body is read. */
const refused = (headers: Record<string, string> = {}) =>
  head('POST', '/v1/spaces/nobody/files', {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  })

/** More connections than the service reads from at the same time. */
const CONNECTIONS = 6

/**
 * Sends a request that the service refuses, with its complete body. Then sends a second request on the same connection.
 * Returns the statuses of both responses.
 */
const sendAll = async () => {
  const connection = await openConnection(service.root)
  await connection.write(refused())
  await connection.write(body)
  await connection.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const received = await connection.waitForClose()
  return received.match(/HTTP\/1\.1 \d+/gm)
}

it('the service reads the rest of every refused body, so that the client can send it and reuse the connection', async () => {
  const received = await Promise.all(Array.from({ length: CONNECTIONS }, sendAll))
  for (const statuses of received) expect(statuses).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
})

it('the service reads the rest of a refused body even while other clients never send theirs', async () => {
  const silent = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openConnection(service.root)
      await connection.write(refused())
      await connection.waitForText('"unauthorized"')
      return connection
    }),
  )
  expect(await sendAll()).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  for (const connection of silent) connection.destroy()
})

it('a client that sends `Connection: close` can send a whole refused body before the connection closes', async () => {
  const connection = await openConnection(service.root)
  await connection.write(refused({ Connection: 'close' }))
  await connection.waitForText('"unauthorized"')
  await connection.write(body)
  expect(await connection.waitForClose()).toMatch(/^HTTP\/1\.1 401/)
})
