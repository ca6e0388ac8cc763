/** Tests tool calls whose credential cannot be looked up, because the database is unavailable. */
import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { newSecret } from '../../routers/api/secret.ts'
import { breakCallerTables, breakTables, restoreTables } from '../openapi/scenario.ts'
import { useTestService } from '../support/test-service.ts'
import { protocols, type RpcResponse, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()
afterEach(async () => {
  service.core.onCall = undefined
  await restoreTables(service)
})

/** Expects a result that reports the outage and when to retry. */
const expectUnavailable = ({ status, headers, result }: RpcResponse<ToolResult>) => {
  expect(status).toBe(200)
  expect(result).toMatchObject({ isError: true })
  expect(result).not.toHaveProperty('structuredContent')
  const [problem, advice] = result.content.map(({ text }) => text)
  expect(JSON.parse(problem!)).toEqual({
    type: expect.stringMatching(/#error-unavailable$/),
    title: expect.any(String),
    status: 503,
    code: 'unavailable',
    detail: `The database does not respond. Retry in ${headers['retry-after']} s.`,
  })
  expect(advice).toContain('Wait')
}

describe.each(protocols)('while the database is unavailable, protocol %s', protocol => {
  const start = async () => {
    const space = await service.createSpace()
    await space.api.put('/data/kept', { value: 1 })
    const client = toolClient(service, '/mcp', await space.key(...SPACE_SCOPES), protocol)
    const call = (name: unknown, args: object = {}) =>
      client.send<ToolResult>('tools/call', { name, arguments: args })
    return { space, client, call }
  }

  const calls: [string, object][] = [
    ['get_data', { key: 'kept' }],
    ['put_data', { key: 'kept', value: 2 }],
    ['no_such_tool', {}],
  ]

  test.each(calls)('%s returns an error result with new and recently used keys', async (name, args) => {
    const { space, call } = await start()
    await breakCallerTables(service)
    expectUnavailable(await call(name, args))
    await restoreTables(service)
    await call('get_space')
    await breakCallerTables(service)
    expectUnavailable(await call(name, args))
    await restoreTables(service)
    expect((await space.api.get('/data/kept')).body).toMatchObject({ value: 1, version: 1 })
  })

  test('a call with a token gets an error result, too', async () => {
    const person = await service.signUp()
    const client = toolClient(service, '/user-mcp', await person.token(...USER_SCOPES), protocol)
    await breakCallerTables(service)
    expectUnavailable(await client.send('tools/call', { name: 'get_me', arguments: {} }))
  })

  test('an unknown key gets the same error result as a valid key, but a malformed key gets 401', async () => {
    await breakCallerTables(service)
    const params = { name: 'get_space', arguments: {} }
    const unknown = toolClient(service, '/mcp', newSecret('space_key'), protocol)
    expectUnavailable(await unknown.send('tools/call', params))
    const malformed = toolClient(service, '/mcp', 'ss_sk_mistyped', protocol)
    expect((await malformed.send('tools/call', params)).status).toBe(401)
  })

  test('a large body gets an error result if the caller is known from an earlier call, and 503 otherwise', async () => {
    const { call } = await start()
    const file = { name: 'a.txt', content: 'x'.repeat(2 * limits.anonymousBody), encoding: 'text' }
    await breakCallerTables(service)
    const { status, headers, error } = await call('upload_file', file)
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(error).toMatchObject({ data: { code: 'unavailable' } })
    await restoreTables(service)
    await call('get_space')
    await breakCallerTables(service)
    expectUnavailable(await call('upload_file', file))
  })

  test.each(['{', '[]', '{}'])('the invalid body %s gets 503, and no error about the body', async message => {
    const { client } = await start()
    await breakCallerTables(service)
    const { status, error } = await client.send('tools/call', {}, { message })
    expect({ status, error }).toMatchObject({ status: 503, error: { data: { code: 'unavailable' } } })
  })

  test('a client that does not accept JSON gets 406', async () => {
    const { client } = await start()
    await breakCallerTables(service)
    const params = { name: 'get_space', arguments: {} }
    expect((await client.send('tools/call', params, { headers: { accept: 'text/html' } })).status).toBe(406)
  })

  test('calls are counted in the metrics', async () => {
    const { call } = await start()
    await breakCallerTables(service)
    const counted: unknown[] = []
    service.core.onCall = ({ operation, code }) => void counted.push([operation, code])
    await call('get_data', { key: 'kept' })
    await call('no_such_tool')
    expect(counted).toEqual([
      ['data.get', 'unavailable'],
      ['mcp.tools/call', 'unavailable'],
    ])
  })

  test('a call gets an error result if the credential lookup succeeds and a later query fails', async () => {
    const { call } = await start()
    await breakTables(service, ['data_records'])
    expectUnavailable(await call('get_data', { key: 'kept' }))
  })
})

test('a stateless call with a contradicting header gets 400', async () => {
  const space = await service.createSpace()
  const client = toolClient(service, '/mcp', await space.key('data'), '2026-07-28')
  await breakCallerTables(service)
  const params = { name: 'get_space', arguments: {} }
  const { status, error } = await client.send('tools/call', params, { headers: { 'mcp-name': 'list_data' } })
  expect({ status, code: error.code }).toEqual({ status: 400, code: -32_020 })
})
