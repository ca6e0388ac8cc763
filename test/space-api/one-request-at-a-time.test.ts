import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../db/database.ts'
import { addresses } from '../../routers/api/addresses.ts'
import { verifiedDomains } from '../../routers/spaces/domains/verified-domains.ts'
import { createHttpServer } from '../../server/http/http-server.ts'
import { openConnection } from './support/http.ts'

const ADDRESSES = addresses({
  apiRoot: 'http://localhost',
  scheme: 'http',
  siteDomain: 'sites.localhost',
  pagesDomain: 'pages.localhost',
  filesDomain: 'files.localhost',
  postsDomain: 'posts.localhost',
  docsUrl: 'http://localhost/docs',
})
const CONFIGURED = { addresses: ADDRESSES, verifiedDomains: verifiedDomains({} as Database) }

/** Starts a server that reads its requests and leaves them open, and connects to it. */
const startServer = async () => {
  const received: { request: string; body: string; res: ServerResponse }[] = []
  const server = createHttpServer((req, res) => {
    const entry = { request: `${req.method} ${req.url}`, body: '', res }
    received.push(entry)
    req.setEncoding('latin1').on('data', (text: string) => {
      entry.body += text
    })
  }, CONFIGURED).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = await openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    connection.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { received, connection }
}

const HOST = 'Host: localhost\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** Requests, and the bodies that the server should read. */
const REQUESTS = [
  { text: `GET /1 HTTP/1.1\r\n${HOST}\r\n`, body: '' },
  { text: `POST /2 HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\na\r\n\r\nGET /`, body: 'a\r\n\r\nGET /' },
  { text: `POST /3 HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`, body: '' },
  { text: `POST /4 HTTP/1.1\r\n${HOST}${CHUNKED}\r\n6\r\nb\r\n\r\nc\r\n0\r\n\r\n`, body: 'b\r\n\r\nc' },
  { text: `POST /5 HTTP/1.1\r\n${HOST}${CHUNKED}\r\n1\r\nd\r\n0\r\nTrailer: x\r\n\r\n`, body: 'd' },
  { text: `\r\n\r\nDELETE /6 HTTP/1.1\r\n${HOST}\r\n`, body: '' },
]
const ALL = REQUESTS.map(({ text }) => text).join('')

test.each([
  ['in one packet', ALL.length],
  ['byte by byte', 1],
  ['in packets of two bytes', 2],
  ['in packets of three bytes', 3],
  ['in packets of 67 bytes', 67],
])('requests that arrive %s are handled one at a time, in order', async (_, size) => {
  const { received, connection } = await startServer()
  const sent = (async () => {
    for (let at = 0; at < ALL.length; at += size) await connection.write(ALL.slice(at, at + size))
  })()
  for (const [index, { body }] of REQUESTS.entries()) {
    await expect.poll(() => received[index]?.body).toBe(body)
    await expect.poll(() => received[index]?.res.req.complete).toBe(true)
    expect(received).toHaveLength(index + 1)
    received[index]!.res.end(`answer ${index + 1}`)
    await connection.waitForText(`answer ${index + 1}`)
  }
  await sent
  expect(received.map(({ request }) => request)).toEqual([
    'GET /1',
    'POST /2',
    'POST /3',
    'POST /4',
    'POST /5',
    'DELETE /6',
  ])
})

test('thousands of requests of one connection wait unread until the first is answered', async () => {
  const { received, connection } = await startServer()
  const one = `GET / HTTP/1.1\r\n${HOST}\r\n`
  void connection.write(one.repeat(20_000)).catch(() => {})
  await expect.poll(() => received.length).toBe(1)
  const { socket } = received[0]!.res
  await expect.poll(() => socket!.isPaused()).toBe(true)
  expect(socket!.bytesRead).toBeLessThan(200_000)
  received[0]!.res.end('answer')
  await expect.poll(() => received.length).toBe(2)
  expect(socket!.bytesRead).toBeLessThan(200_000)
})

test('a request is answered although its client has sent garbage after it', async () => {
  const { received, connection } = await startServer()
  await connection.write(`GET /1 HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\nnonsense\r\n\r\n`)
  await expect.poll(() => received.length).toBe(1)
  received[0]!.res.end('answer')
  const text = await connection.waitForClose()
  expect(text).toContain('answer')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('requests after one that asks to close the connection get no response', async () => {
  const { received, connection } = await startServer()
  const first = `GET /1 HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  await connection.write(`${first}GET /2 HTTP/1.1\r\n${HOST}\r\n`)
  await expect.poll(() => received.length).toBe(1)
  received[0]!.res.end('answer')
  await connection.waitForText('answer')
  expect(received).toHaveLength(1)
})

test('a large response that is not read holds back the next request', async () => {
  const { received, connection } = await startServer()
  connection.pause()
  await connection.write(`GET /1 HTTP/1.1\r\n${HOST}\r\nGET /2 HTTP/1.1\r\n${HOST}\r\n`)
  await expect.poll(() => received.length).toBe(1)
  received[0]!.res.end(Buffer.alloc(20_000_000, 'x'))
  expect(received).toHaveLength(1)
  connection.resume()
  await expect.poll(() => received.length).toBe(2)
})
