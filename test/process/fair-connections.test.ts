import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../faults/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const TOTAL = 6

const service = useTestService({
  connections: { total: TOTAL, perClient: 100, pendingBytes: 1_000_000, idle: 30_000, stop: 10_000 },
})

/** Opens a connection that sends nothing. */
const open = async (from: string): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port: service.port, localAddress: from })
  onTestFinished(() => void socket.destroy())
  // Without a reader, the socket would not notice that it is closed.
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

const health = (from: string) => call(service.port, { path: '/healthz', from })

test('at the limit, the client with the most connections loses its oldest connection to a new client', async () => {
  const other = await open('127.0.6.2')
  const many: Socket[] = []
  while (many.length < TOTAL - 1) many.push(await open('127.0.6.1'))
  expect((await health('127.0.6.3')).status).toBe(200)
  await expect.poll(() => many.map(({ closed }) => closed)).toEqual([true, false, false, false, false])
  expect(other.closed).toBe(false)

  // The client with the most connections cannot get another one.
  many.push(await open('127.0.6.1'))
  expect((await health('127.0.6.1')).error).toBe('ECONNRESET')
  expect(many.slice(1).map(({ closed }) => closed)).toEqual(Array(TOTAL - 1).fill(false))
})
