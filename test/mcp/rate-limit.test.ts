import { describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { restClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { protocols, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService({ callsPerMinute: 60 })

describe.each(protocols)('protocol %s', protocol => {
  const connect = async () => {
    const space = await service.createSpace()
    const key = await space.key(...SPACE_SCOPES)
    return {
      client: toolClient(service, '/mcp', key, protocol),
      rest: restClient(`${service.root}/v1/spaces/${space.subdomain}`, key),
    }
  }

  test('tool calls and REST calls share one limit, and the 61st call is refused', async () => {
    const { client, rest } = await connect()
    for (let pair = 0; pair < 30; pair++) {
      expect((await client.call('list_pages')).isError).toBeUndefined()
      expect((await rest.get('/pages')).status).toBe(200)
    }
    const refused = await client.call('list_pages')
    expect(refused.isError).toBe(true)
    expect(JSON.parse(refused.content[0]!.text)).toMatchObject({
      code: 'rate_limited',
      status: 429,
      detail: expect.stringMatching(/wait \d+ s\.$/) as string,
    })
    expect((await rest.get('/pages')).status).toBe(429)
  })

  test('only tools/call counts towards the limit, even for an unknown tool', async () => {
    const { client } = await connect()
    await client.send('tools/list')
    await client.send(protocol === '2026-07-28' ? 'server/discover' : 'ping')
    const { headers } = await client.send('tools/call', { name: 'list_pages' })
    expect(headers['ratelimit-remaining']).toBe('59')
    await client.send('tools/call', { name: 'nothing' })
    await client.send('tools/call', { name: 'create_page', arguments: {} })
    const last = await client.send('tools/call', { name: 'list_pages' })
    expect(last.headers['ratelimit-remaining']).toBe('56')
  })

  test('above the limit, a call of an unknown tool is refused like any other call', async () => {
    const { client } = await connect()
    for (let call = 0; call < 60; call++) await client.send('tools/call', { name: 'nothing' })
    const { result } = await client.send<ToolResult>('tools/call', { name: 'nothing' })
    expect(result.isError).toBe(true)
    expect((await client.send('tools/list')).status).toBe(200)
  })
})
