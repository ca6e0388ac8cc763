import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import { statelessProtocol } from '../../facades/mcp/stateless.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const META = 'io.modelcontextprotocol/'

describe('any message', () => {
  const method = fc.oneof(
    fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'server/discover',
      'notifications/initialized',
      'logging/setLevel',
      'tasks/get',
    ),
    fc.string(),
  )
  const meta = fc.oneof(
    fc.jsonValue(),
    fc.record({
      [`${META}protocolVersion`]: fc.constantFrom<unknown>('2026-07-28', '2025-11-25', 5),
      [`${META}clientCapabilities`]: fc.jsonValue(),
      progressToken: fc.jsonValue(),
    }),
  )
  const params = fc.record(
    {
      name: fc.oneof(fc.constantFrom<unknown>('get_space', 'get_page', 'put_data'), fc.jsonValue()),
      arguments: fc.jsonValue(),
      protocolVersion: fc.jsonValue(),
      capabilities: fc.jsonValue(),
      _meta: meta,
    },
    { requiredKeys: [] },
  )
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method,
        params: fc.oneof({ weight: 4, arbitrary: params }, { weight: 1, arbitrary: fc.jsonValue() }),
      },
      { requiredKeys: ['jsonrpc'] },
    ),
  )
  const version = fc.constantFrom(undefined, '2025-11-25', '2026-07-28', 'x')

  test('gets a JSON-RPC response or an empty 202, and never an internal error', async () => {
    const secret = await (await service.createSpace()).key(...SPACE_SCOPES)
    await fc.assert(
      fc.asyncProperty(message, version, async (sent, header) => {
        const response = await request(service.root, 'POST', '/mcp', {
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            ...(header === undefined ? {} : { 'mcp-protocol-version': header }),
          },
          body: JSON.stringify(sent),
        })
        expect(response.status).toBeLessThan(500)
        expect(response.text).not.toContain('internal_error')
        const isSilent = response.status === 202 && response.text === ''
        const { jsonrpc, result, error } = response.body
        expect(isSilent || (jsonrpc === '2.0' && (result === undefined) !== (error === undefined))).toBe(true)
      }),
      { numRuns: 400 },
    )
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})

describe('the Mcp-Name header', () => {
  const handle = statelessProtocol(prepareServer(appRouter, toolServers[0]!))
  const call = async (name: string, header: string) =>
    handle(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          _meta: { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {} },
        },
      },
      { version: '2026-07-28', method: 'tools/call', name: header },
      [],
      () => Promise.resolve(['"content":[]']),
    )
  const wrapped = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`
  const name = fc.string({ unit: 'grapheme' }).filter(text => text.isWellFormed())

  test('is accepted if its value is the Base64 form of the name that the body contains', async () => {
    await fc.assert(
      fc.asyncProperty(name, async text => {
        expect((await call(text, wrapped(text))).status).toBe(200)
      }),
    )
  })

  test('is refused if the body has another name', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        fc.pre(one !== other && one !== wrapped(other))
        for (const header of [other, wrapped(other)])
          await expect(call(one, header)).rejects.toMatchObject({ code: -32_020 })
      }),
    )
  })
})
