import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { type Protocol, protocols, toolClient } from './support/tool-client.ts'

/** Two processes of one service. */
const services: TestService[] = []
beforeAll(async () => {
  const databaseUrl = await copyDatabase(inject('database'))
  for (let count = 0; count < 2; count++) services.push(await startTestService({ databaseUrl }))
})
afterAll(async () => {
  for (const service of services) await service.stop()
})

/** Returns functions that send messages as the named program, which uses the library `sdk`. */
const program = (
  name: string,
  {
    service = services[0]!,
    path = '/mcp',
    secret,
    protocol,
  }: Partial<Calls> & Pick<Calls, 'secret' | 'protocol'>,
) => {
  const client = toolClient(service, path, secret, protocol)
  const clientInfo = { name, version: '1' }
  const headers = { 'user-agent': 'sdk/1.0' }
  return {
    connect: () =>
      protocol === '2025-11-25'
        ? client.send('initialize', { protocolVersion: protocol, capabilities: {}, clientInfo }, { headers })
        : client.send('server/discover', {}, { headers }),
    call: (tool: string, args: Record<string, unknown>) =>
      client.send(
        'tools/call',
        { name: tool, arguments: args },
        {
          headers,
          meta: protocol === '2025-11-25' ? {} : { 'io.modelcontextprotocol/clientInfo': clientInfo },
        },
      ),
  }
}

interface Calls {
  service: TestService
  path: '/mcp' | '/user-mcp'
  secret: string
  protocol: Protocol
}

const spaceWithKey = async () => {
  const space = await services[0]!.createSpace()
  return { ...space, secret: await space.key('data') }
}

/** Returns the agent named in the latest change of a space. */
const latestAgent = async ({ owner, subdomain }: Awaited<ReturnType<typeof spaceWithKey>>) =>
  (await owner.history.list({ subdomain })).changes[0]?.actor.agent

describe.each(protocols)('the history, with protocol %s,', protocol => {
  test('names the program that connected', async () => {
    const space = await spaceWithKey()
    const agent = program('Gardener', { secret: space.secret, protocol })
    await agent.connect()
    await agent.call('put_data', { key: 'a', value: 1 })
    expect(await latestAgent(space)).toBe('Gardener')
  })

  test('names a program that connected to one process, but changed the space through another process', async () => {
    const space = await spaceWithKey()
    await program('Gardener', { secret: space.secret, protocol }).connect()
    await services[0]!.core.lastUsed.flush()
    const elsewhere = program('Gardener', { service: services[1]!, secret: space.secret, protocol })
    await elsewhere.call('put_data', { key: 'a', value: 1 })
    expect(await latestAgent(space)).toBe('Gardener')
  })

  test('names the program that connected last', async () => {
    const space = await spaceWithKey()
    await program('Gardener', { secret: space.secret, protocol }).connect()
    await services[0]!.core.lastUsed.flush()
    const second = program('Florist', { secret: space.secret, protocol })
    await second.connect()
    await second.call('put_data', { key: 'a', value: 1 })
    expect(await latestAgent(space)).toBe('Florist')
  })

  test('names the program that changed a post through another process', async () => {
    const person = await services[0]!.signUp()
    const calls = { path: '/user-mcp', secret: await person.token('posts'), protocol } as const
    await program('Gardener', calls).connect()
    await services[0]!.core.lastUsed.flush()
    const { id } = (await person.api.post<{ id: string }>('/posts', { html: 'one' })).body
    await program('Gardener', { ...calls, service: services[1]! }).call('update_post', {
      post_id: id,
      html: 'two',
    })
    const { changes } = await person.postHistory.list({ post_id: id })
    expect(changes[0]?.actor.agent).toBe('Gardener')
  })
})

test('the history names a program by its User-Agent header if the program has not connected', async () => {
  const space = await spaceWithKey()
  const agent = program('Gardener', { secret: space.secret, protocol: '2025-11-25' })
  await agent.call('put_data', { key: 'a', value: 1 })
  expect(await latestAgent(space)).toBe('sdk')
})

test('the history does not attribute a change by an unnamed program to another program with the same key', async () => {
  const space = await spaceWithKey()
  await program('Gardener', { secret: space.secret, protocol: '2025-11-25' }).connect()
  const nameless = toolClient(services[0]!, '/mcp', space.secret, '2026-07-28')
  await nameless.send(
    'tools/call',
    { name: 'put_data', arguments: { key: 'a', value: 1 } },
    { headers: { 'user-agent': 'sdk/1.0' } },
  )
  expect(await latestAgent(space)).toBe('sdk')
})
