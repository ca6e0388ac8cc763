import { expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { openConnection } from './support/http.ts'

const service = useTestService()

/** More connections than the service reads from at the same time. */
const CONNECTIONS = 6

it('the service reads the rest of every refused body, so that the client can send it and reuse the connection', async () => {
  const body = Buffer.alloc(2_000_000, 'x')
  const head = [
    'POST /v1/spaces/nobody/files HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openConnection(service.root)
      await connection.write(`${head.join('\r\n')}\r\n\r\n`)
      await connection.write(body)
      await connection.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      const received = await connection.waitForClose()
      expect(received.match(/HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
    }),
  )
})
