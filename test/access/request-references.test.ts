import { expect, it, test } from 'vitest'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService({ callsPerMinute: 1_000 })

/** Returns the log line of a request. The line is written when the response has ended. */
const lineOf = async (reference: unknown) => {
  await expect.poll(() => service.log.some(line => line.reference === reference)).toBe(true)
  return service.log.find(line => line.reference === reference)!
}

const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
  request(service.root, method, path, { headers, body })

test.each([
  ['a call without a credential', 'GET', '/v1/me', 401],
  ['an unknown path', 'GET', '/v1/nothing', 404],
  ['a method that a path does not have', 'DELETE', '/v1/me', 405],
  ['a call of a tool server', 'POST', '/mcp', 401],
  ['a call of a further tool server', 'POST', '/mcp/readonly', 401],
  ['a call of the tool server for accounts', 'POST', '/user-mcp', 401],
  ['a method that a tool server does not have', 'DELETE', '/mcp', 405],
  ['a tool server with a trailing slash', 'POST', '/mcp/', 404],
  ['an unknown upload link', 'PUT', '/uploads/nothing', 404],
])('%s gets the reference under which it is logged', async (_, method, path, status) => {
  const response = await ask(method, path, { 'content-type': 'application/json' }, '{}')
  expect(response.status).toBe(status)
  expect(await lineOf(response.headers['x-request-id'])).toMatchObject({ method, status })
})

it('is also in the response of successful calls, of tools and of unchanged reads', async () => {
  const { subdomain, api, key } = await service.createSpace()
  const { body } = await api.post<{ id: string }>('/pages', { slug: 'one', html: 'One' })
  const read = await api.get(`/pages/${body.id}`)
  const again = await api.send(`/pages/${body.id}`, {
    headers: { 'If-None-Match': read.headers.get('etag')! },
  })
  expect(again.status).toBe(304)
  const tools = await ask(
    'POST',
    '/mcp',
    {
      authorization: `Bearer ${await key('pages')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  )
  expect(tools.status).toBe(200)
  const references = [
    read.headers.get('x-request-id'),
    again.headers.get('x-request-id'),
    tools.headers['x-request-id'],
  ]
  for (const reference of references) expect(reference).toMatch(/^[2-9a-z]{16}$/)
  expect(new Set(references).size).toBe(3)
  expect(await lineOf(references[0])).toMatchObject({ path: `/v1/spaces/${subdomain}/pages/${body.id}` })
})

it('is the reference in the problem of a fault', async () => {
  const person = await service.signUp()
  const { calls } = service.core
  const consume = calls.consume.bind(calls)
  calls.consume = () => Promise.reject(new Error('broken'))
  try {
    const { status, headers, body } = await person.api.get('/me')
    expect(status).toBe(500)
    expect(body.detail).toContain(headers.get('x-request-id'))
  } finally {
    calls.consume = consume
  }
})

it('does not repeat the id of the caller, which is logged', async () => {
  const named = await ask('GET', '/v1/me', { 'x-request-id': 'deploy-7:try.2' })
  expect(named.headers['x-request-id']).not.toContain('deploy')
  expect(await lineOf(named.headers['x-request-id'])).toMatchObject({ requestId: 'deploy-7:try.2' })
  const strange = await ask('GET', '/v1/me', { 'x-request-id': `x${' {"a":1}'.repeat(200)}` })
  expect(await lineOf(strange.headers['x-request-id'])).not.toHaveProperty('requestId')
})
