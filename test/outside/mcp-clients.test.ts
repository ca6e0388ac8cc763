import { afterEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { spaceOperations, toolsOf, userOperations } from '../contract/operations.ts'
import { type AnyClient, type Connect, firstSdk, secondSdk } from '../mcp/support/sdk-clients.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

const open: AnyClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

describe.each<{ title: string; connect: Connect; speaks: string }>([
  { title: 'the client of the first SDK', connect: firstSdk, speaks: '2025-11-25' },
  {
    title: 'the client of the second SDK with a handshake',
    connect: secondSdk('legacy'),
    speaks: '2025-11-25',
  },
  { title: 'the client of the second SDK, negotiating', connect: secondSdk('auto'), speaks: '2026-07-28' },
  {
    title: 'the client of the second SDK with a pinned version',
    connect: secondSdk({ pin: '2026-07-28' }),
    speaks: '2026-07-28',
  },
])('$title', ({ connect, speaks }) => {
  const start = async (path: string, secret: string) => {
    const { client, version } = await connect(new URL(path, service.root), secret)
    open.push(client)
    expect(version).toBe(speaks)
    return client
  }

  test('creates a page using a key, and validates the results against the output schemas', async () => {
    const space = await service.createSpace()
    const client = await start('/mcp', await space.key(...SPACE_SCOPES))
    expect(client.getInstructions()).toContain('get_space')
    expect((await client.listTools()).tools).toHaveLength(toolsOf(spaceOperations).length)

    const { structuredContent: about } = (await client.callTool({ name: 'get_space' })) as {
      structuredContent: { subdomain: string }
    }
    expect(about.subdomain).toBe(space.subdomain)

    const value = [{ title: 'Open day' }, { title: 'Harvest', places: 3 }]
    await client.callTool({ name: 'put_data', arguments: { key: 'events', value } })
    const html = '{% for event in data.events %}<li>{{ event.title }}</li>{% endfor %}'
    const { structuredContent: page } = (await client.callTool({
      name: 'create_page',
      arguments: { slug: 'events', html },
    })) as { structuredContent: { id: string } }
    const read = await client.callTool({ name: 'get_page', arguments: { page_id: page.id } })
    expect(read).toMatchObject({ structuredContent: { slug: 'events', html } })
    const gone = await client.callTool({ name: 'delete_page', arguments: { page_id: page.id } })
    expect(gone).toMatchObject({ structuredContent: { deleted: true } })
    const missing = await client.callTool({ name: 'get_page', arguments: { page_id: page.id } })
    expect(missing).toMatchObject({ isError: true })
  })

  test('publishes a post with a token', async () => {
    const person = await service.signUp()
    const client = await start('/user-mcp', await person.token(...USER_SCOPES))
    expect((await client.listTools()).tools).toHaveLength(toolsOf(userOperations).length)
    const { structuredContent: post } = (await client.callTool({
      name: 'create_post',
      arguments: { format: 'markdown', markdown: '# Beans', tags: ['garden'] },
    })) as { structuredContent: { id: string } }
    expect(await client.callTool({ name: 'get_post', arguments: { post_id: post.id } })).toMatchObject({
      structuredContent: { author_handle: person.handle, format: 'rich', tags: ['garden'] },
    })
  })

  test('cannot connect with an unknown key', async () => {
    await expect(connect(new URL('/mcp', service.root), 'ss_sk_nobody')).rejects.toThrow(
      /No valid credential|Unauthorized|HTTP 401/,
    )
  })
})
