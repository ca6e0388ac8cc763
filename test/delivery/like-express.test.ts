import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { verdictOn } from '../../facades/http/conditional-requests.ts'
import { addressOf, hostnameOf, type IsTrusted } from '../../server/http/forwarded.ts'

/** Sends a request to Express, and returns what Express and our own functions read from it. */
const ask = async (headers: Record<string, string>, trusted: string[] = []) => {
  const app = express().set('trust proxy', trusted)
  const isTrusted = app.get('trust proxy fn') as IsTrusted
  const version = { etag: '"v1-br"', lastModified: 'Tue, 24 Nov 2026 10:00:00 GMT' }
  const server = createServer(app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const found = new Promise((resolve, reject) => {
    app.use((req, res) => {
      res.set({ ETag: version.etag, 'Last-Modified': version.lastModified })
      resolve({
        express: { address: req.ip, hostname: req.hostname, isFresh: req.fresh },
        own: {
          address: addressOf(req, isTrusted),
          hostname: hostnameOf(req, isTrusted),
          isFresh: verdictOn(req, version) === 'not modified',
        },
      })
      res.end()
    })
    server.on('listening', () => {
      const { port } = server.address() as AddressInfo
      const sent = request({ port, host: '127.0.0.1', headers, agent: false })
      sent.on('response', (response: IncomingMessage) => response.resume())
      sent.on('error', reject).end()
    })
  })
  return (await found) as Record<'express' | 'own', { address: string; hostname: string; isFresh: boolean }>
}

test.each([
  [{}, []],
  [{ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'a.example' }, []],
  [{ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'a.example:8080' }, ['loopback']],
  [{ 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }, ['loopback']],
  [{ 'x-forwarded-for': '198.51.100.1 ,203.0.113.7,10.0.0.2' }, ['loopback', '10.0.0.0/8']],
  [
    { 'x-forwarded-for': '10.0.0.1, 10.0.0.2', 'x-forwarded-host': 'a.example, b.example' },
    ['loopback', '10.0.0.0/8'],
  ],
  [{ host: '[::1]:3000' }, []],
])(
  'a request with %j behind the proxies %j has the same client address and host as in Express',
  async (headers, trusted) => {
    const { express: expected, own } = await ask(headers, trusted)
    expect(own).toEqual(expected)
  },
)

test.each([
  [{ 'if-none-match': '"v1-br"' }, true],
  [{ 'if-none-match': 'W/"v1-br"' }, true],
  [{ 'if-none-match': '"other" , "v1-br"' }, true],
  [{ 'if-none-match': '"v1"' }, false],
  [{ 'if-none-match': '*' }, true],
  [{ 'if-none-match': '"v1-br"', 'cache-control': 'max-age=0, no-cache' }, false],
  [{ 'if-none-match': '"v1"', 'if-modified-since': 'Wed, 25 Nov 2026 10:00:00 GMT' }, false],
  [{ 'if-modified-since': 'Tue, 24 Nov 2026 10:00:00 GMT' }, true],
  [{ 'if-modified-since': 'Tue, 24 Nov 2026 09:59:59 GMT' }, false],
  [{ 'if-modified-since': 'never' }, false],
])('a request with %j can be answered with 304, here and in Express: %s', async (headers, isEnough) => {
  const { express: expected, own } = await ask(headers)
  expect(own.isFresh).toBe(isEnough)
  expect(expected.isFresh).toBe(isEnough)
})
