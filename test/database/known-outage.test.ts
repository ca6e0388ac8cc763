import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clientConfig, Database } from '../../db/database.ts'
import { isDatabaseUnavailable } from '../../db/errors.ts'
import { OpenConnections, watchDatabase } from '../../db/watch-database.ts'

/** Starts a server that accepts connections and never responds. */
const startSilentServer = async () => {
  const sockets: Socket[] = []
  const server = createServer(socket => sockets.push(socket.on('error', () => {})))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { location: { url: `postgres://space_site@127.0.0.1:${port}/space_site` }, sockets }
}

test('while the database is known to be down, queries fail without a connection attempt', async () => {
  const probed = await startSilentServer()
  const queried = await startSilentServer()
  const connections = new OpenConnections()
  const changes: boolean[] = []
  const health = watchDatabase(clientConfig(probed.location), connections, isUp => changes.push(isUp))
  onTestFinished(() => health.stop())
  await expect.poll(() => changes, { timeout: 60_000 }).toEqual([false])

  const database = await Database.open(queried.location, { connections })
  onTestFinished(() => database.close())
  for (const query of [
    () => database.pool.connect(),
    () => database.selectFrom('accounts').select('id').execute(),
    () => database.run('one', 'select 1', [], false),
  ]) {
    const error: unknown = await query().catch((error: unknown) => error)
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
  expect(queried.sockets).toHaveLength(0)
})
