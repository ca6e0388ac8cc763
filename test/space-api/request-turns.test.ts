import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { RequestTurns } from '../../server/http/request-turns.ts'
import { openConnection, type RawConnection } from './support/http.ts'

const RUNNING = 2
/** Longer than any test takes, in ms. */
const LONG = 600_000

/** Starts a server that leaves its requests open. Its clients choose their address with a header. */
const startServer = async (length = LONG) => {
  const turns = new RequestTurns({ running: RUNNING, length })
  const arrived = new Map<string, ServerResponse>()
  const started: { path: string; res: ServerResponse }[] = []
  const server = createServer((req, res) => {
    arrived.set(req.url!, res)
    turns.take(String(req.headers['x-from']), res, () => started.push({ path: req.url!, res }))
  }).listen(0, '127.0.0.1')
  let ended = 0
  server.on('connection', socket => void socket.once('close', () => void ended++))
  await once(server, 'listening')
  const connections: RawConnection[] = []
  onTestFinished(() => {
    for (const connection of connections) connection.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** Sends a request on a new connection, and waits until it has arrived. */
  const send = async (path: string, from = '192.0.2.1') => {
    const connection = await openConnection(`http://127.0.0.1:${port}`)
    connections.push(connection)
    await connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-From: ${from}\r\n\r\n`)
    await expect.poll(() => arrived.has(path)).toBe(true)
    // By now, the request has started or waits for its turn.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    return connection
  }
  /** Sends a request on a new connection, and resets the connection at once. */
  const sendAndLeave = async (path: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-From: 192.0.2.1\r\n\r\n`)
    socket.resetAndDestroy()
  }
  return {
    send,
    sendAndLeave,
    ended: () => ended,
    arrived,
    started,
    paths: () => started.map(({ path }) => path),
  }
}

test('only some requests of a network run at once, and other networks do not wait for them', async () => {
  const { send, started, paths } = await startServer()
  for (let n = 0; n < RUNNING; n++) await send(`/${n}`)
  const waiting = await send('/waiting')
  await send('/later')
  await send('/other', '192.0.2.2')
  expect(started).toHaveLength(RUNNING + 1)
  expect(paths().at(-1)).toBe('/other')
  started[1]!.res.end()
  await expect.poll(() => paths().at(-1)).toBe('/waiting')
  started.at(-1)!.res.end('answer')
  await waiting.waitForText('answer')
  await expect.poll(() => paths().at(-1)).toBe('/later')
})

test('a client that leaves keeps its turn until its request is answered', async () => {
  const { send, started, paths } = await startServer()
  const clients: RawConnection[] = []
  for (let n = 0; n < RUNNING; n++) clients.push(await send(`/${n}`))
  await send('/waiting')
  for (const client of clients) client.destroy()
  await expect.poll(() => started.every(({ res }) => res.closed)).toBe(true)
  expect(paths()).not.toContain('/waiting')
  started[0]!.res.end()
  expect(paths().at(-1)).toBe('/waiting')
})

test('a request whose client leaves at once never starts', async () => {
  const { send, sendAndLeave, ended, paths } = await startServer()
  for (let n = 0; n < RUNNING; n++) await sendAndLeave(`/${n}`)
  await expect.poll(ended).toBe(RUNNING)
  await send('/next')
  expect(paths()).toEqual(['/next'])
})

test('a request whose client leaves while it waits never starts', async () => {
  const { send, arrived, started, paths } = await startServer()
  for (let n = 0; n < RUNNING; n++) await send(`/${n}`)
  const left = await send('/left')
  await send('/waiting')
  left.destroy()
  await expect.poll(() => arrived.get('/left')!.closed).toBe(true)
  started[0]!.res.end()
  started[1]!.res.end()
  await expect.poll(paths).toContain('/waiting')
  await send('/next')
  expect(paths().slice(RUNNING)).toEqual(['/waiting', '/next'])
})

test('a request that takes very long does not keep others from starting', async () => {
  const { send, paths } = await startServer(1)
  for (let n = 0; n < RUNNING; n++) await send(`/${n}`)
  await send('/waiting')
  await expect.poll(paths).toContain('/waiting')
})
