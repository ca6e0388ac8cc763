import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepared.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import { statelessLeg } from '../../facades/mcp/stateless.ts'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { request } from '../space-api/support/http.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const META = 'io.modelcontextprotocol/'

describe('whatever is sent', () => {
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

  test('is answered as JSON-RPC or accepted in silence, and is no fault of ours', async () => {
    const secret = await (await world.space()).key(...SPACE_SCOPES)
    await fc.assert(
      fc.asyncProperty(message, version, async (sent, header) => {
        const answer = await request(world.root, 'POST', '/mcp', {
          headers: {
            authorization: `Bearer ${secret}`,
            'content-type': 'application/json',
            ...(header === undefined ? {} : { 'mcp-protocol-version': header }),
          },
          body: JSON.stringify(sent),
        })
        expect(answer.status).toBeLessThan(500)
        expect(answer.text).not.toContain('internal_error')
        const isSilent = answer.status === 202 && answer.text === ''
        const { jsonrpc, result, error } = answer.body
        expect(isSilent || (jsonrpc === '2.0' && (result === undefined) !== (error === undefined))).toBe(true)
      }),
      { numRuns: 400 },
    )
    expect(world.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})

describe('a name in a header', () => {
  const answer = statelessLeg(prepareServer(appRouter, toolServers[0]!))
  const call = (name: string, header: string) =>
    answer(
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
      () => Promise.resolve({ content: [] }),
    )
  const wrapped = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`
  const name = fc.string({ unit: 'grapheme' }).filter(text => text.isWellFormed())

  test('agrees with the body when it is the same in Base64', async () => {
    await fc.assert(
      fc.asyncProperty(name, async text => {
        expect((await call(text, wrapped(text))).status).toBe(200)
      }),
    )
  })

  test('never agrees with another', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        fc.pre(one !== other && one !== wrapped(other))
        for (const header of [other, wrapped(other)])
          await expect(call(one, header)).rejects.toMatchObject({ code: -32_020 })
      }),
    )
  })
})
