import http from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

const json = { 'Content-Type': 'application/json' }
const chunked = { ...json, 'Transfer-Encoding': 'chunked' }
const body = JSON.stringify({ html: 'x'.repeat(300_000) })

/** Requests that are answered early, late, from memory, without a body, and before their own body was read. */
const REQUESTS: [method: string, path: string, status: number, headers?: object, body?: string][] = [
  ['GET', '/healthz', 200],
  ['GET', '/', 200],
  ['HEAD', '/', 200],
  ['GET', '/nothing', 404],
  ['GET', '/v1/me', 401],
  ['POST', '/v1/spaces/x/pages', 401, json, body],
  ['POST', '/v1/spaces/x/pages', 401, chunked, body],
  ['POST', '/mcp', 401, json, body],
  ['POST', '/trpc/sessions.create', 415, { 'Content-Type': 'text/plain' }, body],
  ['DELETE', '/', 405],
]

test('a connection stays open after each answer', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const sockets = new Set<Socket | null>()
  const send = ([method, path, , headers, text]: (typeof REQUESTS)[number]) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const req = http.request(`${service.root}${path}`, { method, agent, headers: { ...headers } }, res =>
        res.resume().on('end', () => resolve(res)),
      )
      req.on('socket', socket => sockets.add(socket)).on('error', reject)
      req.end(text)
    })
  for (const request of [...REQUESTS, ...REQUESTS.toReversed()]) {
    const { statusCode, headers } = await send(request)
    expect([request[0], request[1], statusCode]).toEqual(request.slice(0, 3))
    expect(headers.connection).toBe('keep-alive')
    expect(headers['keep-alive']).toMatch(/^timeout=\d+$/)
  }
  expect(sockets.size).toBe(1)
  // The client may never send the body that it has announced, so the next request could not be told from it.
  const expecting = { ...json, Expect: '100-continue' }
  const { headers } = await send(['POST', '/v1/spaces/x/pages', 401, expecting, body])
  expect(headers.connection).toBe('close')
  expect(sockets.size).toBe(1)
})
