import { once } from 'node:events'
import net from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { copyDatabase } from '../support/database.ts'
import { startTestService } from '../support/test-service.ts'

/** Number of connections that get no response. More than one, because the ORM ignores a failure of its first one. */
const IGNORED = 2

/**
 * Starts a proxy in front of a PostgreSQL server. It accepts the first connections, but never responds on them.
 *
 * @param target path of the server's socket
 * @returns the port, and a function that returns the number of connections so far
 */
const ignoreFirstConnections = async (
  target: string,
): Promise<{ port: number; connections: () => number }> => {
  let connections = 0
  const server = net.createServer(client => {
    client.on('error', () => {})
    if (++connections <= IGNORED) return
    const upstream = net.connect(target).on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as net.AddressInfo).port, connections: () => connections }
}

it('a start connects again if the database does not accept the first connections in time', async () => {
  const url = new URL(await copyDatabase(inject('database')))
  const proxy = await ignoreFirstConnections(`${url.searchParams.get('host')}/.s.PGSQL.${url.port || 5432}`)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const service = await startTestService({ databaseUrl: url.href })
  onTestFinished(() => service.stop())
  expect(proxy.connections()).toBeGreaterThan(IGNORED)
  expect((await fetch(`${service.root}/readyz`)).status).toBe(200)
})
