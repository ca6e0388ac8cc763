import { describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { restClient } from '../support/rest-client.ts'
import { useWorld } from '../support/world.ts'
import { eras, type ToolResult, toolClient } from './support/tool-client.ts'

const world = useWorld({ callsPerMinute: 60 })

describe.each(eras)('spoken to in %s', era => {
  const connect = async () => {
    const space = await world.space()
    const key = await space.key(...SPACE_SCOPES)
    return {
      client: toolClient(world, '/mcp', key, era),
      rest: restClient(`${world.root}/v1/spaces/${space.subdomain}`, key),
    }
  }

  test('calls of tools and of REST count together: of both mixed, the 61st is refused', async () => {
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

  test('what is no call does not count; every call does, of a tool that does not exist too', async () => {
    const { client } = await connect()
    await client.send('tools/list')
    await client.send(era === '2026-07-28' ? 'server/discover' : 'ping')
    const { headers } = await client.send('tools/call', { name: 'list_pages' })
    expect(headers['ratelimit-remaining']).toBe('59')
    await client.send('tools/call', { name: 'nothing' })
    await client.send('tools/call', { name: 'create_page', arguments: {} })
    const last = await client.send('tools/call', { name: 'list_pages' })
    expect(last.headers['ratelimit-remaining']).toBe('56')
  })

  test('once all calls are used up, a tool that does not exist is refused like any other', async () => {
    const { client } = await connect()
    for (let call = 0; call < 60; call++) await client.send('tools/call', { name: 'nothing' })
    const { result } = await client.send<ToolResult>('tools/call', { name: 'nothing' })
    expect(result.isError).toBe(true)
    expect((await client.send('tools/list')).status).toBe(200)
  })
})
