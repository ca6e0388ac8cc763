import { once } from 'node:events'
import net from 'node:net'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { copyDatabase } from '../support/database.ts'
import { startTestService } from '../support/test-service.ts'

/** Number of unanswered connections: more than one, because the ORM ignores a failure of its first connection. */
const IGNORED = 2

/** Longer than a new connection may take on a machine that is not busy, in ms. */
const SLOW = 1_700

/**
 * Starts a proxy in front of a new database.
 *
 * @param admit called for each connection with its number; the proxy forwards the connection if the promise resolves to
 *   true, and otherwise never responds
 * @returns the URL of the database behind the proxy, and a function that returns the number of connections so far
 */
const startProxy = async (admit: (number: number) => Promise<boolean>) => {
  const url = new URL(await copyDatabase(inject('database')))
  const target = `${url.searchParams.get('host')}/.s.PGSQL.${url.port || 5432}`
  let connections = 0
  const forward = async (client: net.Socket) => {
    if (!(await admit(++connections))) return
    const upstream = net.connect(target).on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  }
  const server = net.createServer(client => {
    client.on('error', () => {})
    void forward(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  return { databaseUrl: url.href, connections: () => connections }
}

it('a starting service tries again if the database does not accept the first connections in time', async () => {
  const { databaseUrl, connections } = await startProxy(async number => number > IGNORED)
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  expect(connections()).toBeGreaterThan(IGNORED)
  expect((await fetch(`${service.root}/readyz`)).status).toBe(200)
})

it('calls wait for slow connections while the machine is busy', async () => {
  const loadavg = vi.spyOn(os, 'loadavg').mockReturnValue([1_000, 1_000, 1_000])
  onTestFinished(() => loadavg.mockRestore())
  let slow = 0
  const { databaseUrl, connections } = await startProxy(async () => {
    if (slow-- > 0) await sleep(SLOW)
    return true
  })
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const space = await service.createSpace()
  await space.api.put('/data/a', { value: 1 })
  const before = connections()
  slow = 4
  // There are more concurrent calls than open connections, so reads and writes open new connections.
  const spaces = await Promise.all(Array.from({ length: 6 }, () => service.createSpace()))
  const calls = spaces.map(({ api }) => api.put('/data/a', { value: 1 }))
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  expect(connections()).toBeGreaterThan(before)
})
