import { describe, expect, test } from 'vitest'
import type { SpaceScope } from '../../routers/api/scopes.ts'
import { spaceOperations, toolsOf } from '../contract/operations.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { protocols, type ToolPath, toolClient } from './support/tool-client.ts'

const service = useTestService()

const issued = async (scopes: SpaceScope[] = ['pages', 'data', 'files', 'files_write']) => {
  const space = await service.createSpace()
  const key = await space.owner.keys.issue({ subdomain: space.subdomain, label: 'Agent', scopes })
  return { ...space, ...key }
}

/** Stores pending last-used times, then returns the key as the dashboard lists it. */
const listed = async ({ owner, subdomain }: TestSpace, id: string) => {
  await service.core.lastUsed.flush()
  const keys = await owner.keys.list({ subdomain })
  return keys.find(key => key.id === id)!
}

const client = (secret: string, path: ToolPath = '/mcp') => toolClient(service, path, secret, '2025-11-25')

/** Connects with a handshake, as the named program. */
const connect = (secret: string, clientInfo: object, path?: ToolPath) =>
  client(secret, path).send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { version: '1', ...clientInfo },
  })

describe('the agent of a listed key', () => {
  test('is unknown until an agent connects', async () => {
    const space = await issued()
    await service.rest(space.secret, `/v1/spaces/${space.subdomain}`).get('/pages')
    const key = await listed(space, space.id)
    expect(key.last_used_at).not.toBeNull()
    expect(key).toMatchObject({ agent: null, refused_at: null })
  })

  test('has the name from the handshake, and the number of tools that the server offers', async () => {
    const space = await issued()
    await connect(space.secret, { name: 'claude-code' })
    expect((await listed(space, space.id)).agent).toMatchObject({
      name: 'claude-code',
      tools: toolsOf(spaceOperations).length,
      problem: null,
    })
  })

  test('gets its name, without control characters, from the metadata of the stateless protocol', async () => {
    const space = await issued()
    const agent = toolClient(service, '/mcp', space.secret, '2026-07-28')
    await agent.send(
      'tools/list',
      {},
      {
        message: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: {
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
              'io.modelcontextprotocol/clientInfo': { name: 'x', title: 'Fa\u0000ke', version: '1' },
            },
          },
        },
      },
    )
    expect((await listed(space, space.id)).agent).toMatchObject({ name: 'Fake' })
  })

  test('has the number of tools that the scopes of the key allow, on a server that hides all other tools', async () => {
    const space = await issued(['data'])
    await connect(space.secret, { name: 'one' }, '/mcp/readonly')
    const tools = await client(space.secret, '/mcp/readonly').tools()
    expect((await listed(space, space.id)).agent).toMatchObject({ tools: tools.length })
  })

  test('keeps its name and its time of connection during later calls', async () => {
    const space = await issued()
    await connect(space.secret, { name: 'one' })
    const first = (await listed(space, space.id)).agent
    await client(space.secret).call('list_pages')
    expect((await listed(space, space.id)).agent).toEqual(first)
  })

  test('is updated if another agent connects soon afterwards', async () => {
    const space = await issued()
    await connect(space.secret, { name: 'one' })
    const first = (await listed(space, space.id)).agent!
    await connect(space.secret, { name: 'two' })
    const second = (await listed(space, space.id)).agent!
    expect(second.name).toBe('two')
    expect(Date.parse(second.connected_at)).toBeGreaterThanOrEqual(Date.parse(first.connected_at))
  })

  test('reports a missing permission until a later call succeeds', async () => {
    const space = await issued(['data'])
    const agent = client(space.secret)
    await agent.call('list_pages')
    expect((await listed(space, space.id)).agent).toMatchObject({ problem: 'insufficient_scope' })
    await agent.call('list_data')
    expect((await listed(space, space.id)).agent).toMatchObject({ problem: null })
  })

  test('shows that the key was sent from a web page', async () => {
    const space = await issued()
    await client(space.secret).send('tools/list', {}, { headers: { origin: 'https://inspector.example' } })
    expect((await listed(space, space.id)).agent).toMatchObject({ problem: 'foreign_origin' })
  })

  test.each(protocols)('stays unknown after a call of a tool that does not exist (%s)', async protocol => {
    const space = await issued()
    await toolClient(service, '/mcp', space.secret, protocol).send('tools/call', { name: 'none' })
    expect((await listed(space, space.id)).agent).toBeNull()
  })
})

describe('a secret that a tool server rejects', () => {
  test('is recorded with the key that begins with the same characters', async () => {
    const space = await issued()
    const other = await issued()
    const truncated = space.secret.slice(0, -1)
    expect((await client(truncated).send('tools/list')).status).toBe(401)
    expect((await listed(space, space.id)).refused_at).not.toBeNull()
    expect((await listed(other, other.id)).refused_at).toBeNull()
  })

  test('is not recorded if it does not look like a key', async () => {
    const space = await issued()
    for (const authorization of ['Basic abc', 'Bearer x', `Token ${space.secret}`, 'Bearer ss_sk_'])
      await client('').send('tools/list', {}, { headers: { authorization } })
    expect((await listed(space, space.id)).refused_at).toBeNull()
  })
})
