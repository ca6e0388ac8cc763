import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import type { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { vocabulary } from '../../routers/rendering/vocabulary.ts'
import { spaceOperations, toolsOf } from '../contract/operations.ts'
import { studioTools } from '../contract/studio-tools.ts'
import { restClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { protocols, type ToolPath, toolClient } from './support/tool-client.ts'

const service = useTestService()
const GUIDE = 'space-site://guide'

const connect = async (
  path: ToolPath,
  protocol: (typeof protocols)[number],
  ...scopes: (typeof SPACE_SCOPES)[number][]
) => {
  const space = await service.createSpace()
  return toolClient(service, path, await space.key(...scopes), protocol)
}

describe.each(protocols)('protocol %s', protocol => {
  test('tools/list returns only the tools that the scopes allow', async () => {
    const names = async (path: ToolPath, ...scopes: (typeof SPACE_SCOPES)[number][]) =>
      (await (await connect(path, protocol, ...scopes)).tools()).map(({ name }) => name)
    const allows = ({ scopes }: { scopes: readonly string[] }) =>
      scopes.length === 0 || scopes.includes('files')
    const reads = spaceOperations.filter(
      ({ operation, facts }) => operation.method === 'GET' && allows(facts),
    )
    const studioReads = Object.values(studioTools).filter(tool => tool.isReadOnly && allows(tool))
    expect(await names('/mcp/readonly', 'files')).toEqual([
      ...toolsOf(reads),
      ...studioReads.map(({ name }) => name),
    ])
    expect(await names('/mcp/studio', 'data')).not.toContain('create_page')
    expect(await names('/mcp/studio', 'pages')).toContain('check_template')
    expect(await names('/mcp', 'data')).toEqual(toolsOf(spaceOperations))
  })

  test('/mcp/readonly refuses calls of tools that it does not list', async () => {
    const client = await connect('/mcp/readonly', protocol, 'pages')
    const { error } = await client.send('tools/call', { name: 'create_page', arguments: {} })
    expect(error.code).toBe(-32_602)
  })

  test.each(['/mcp/studio', '/mcp/readonly'] as const)('%s has the guide as a resource', async path => {
    const client = await connect(path, protocol, 'pages')
    const { result } = await client.send<{ resources: { uri: string }[] }>('resources/list')
    expect(result.resources).toMatchObject([{ uri: GUIDE, mimeType: 'text/markdown' }])
    const read = await client.send<ReadResourceResult>('resources/read', { uri: GUIDE })
    const [guide] = read.result.contents as { text: string }[]
    for (const word of [
      '`index`',
      'layout',
      'block',
      'files | where',
      ...vocabulary.tags,
      ...vocabulary.filters,
    ])
      expect(guide!.text).toContain(word)
    expect((await client.send('resources/templates/list')).result).toMatchObject({ resourceTemplates: [] })
    expect((await client.send('resources/read', { uri: 'file:///etc/passwd' })).error.code).toBe(-32_602)
    expect((await client.send('resources/list', { cursor: 'x' })).error.code).toBe(-32_602)
  })

  test.each([
    ['/mcp/studio', true],
    ['/mcp/readonly', false],
  ] as const)('the guide of %s explains upload links: %s', async (path, isExplained) => {
    const client = await connect(path, protocol, 'pages')
    const { result } = await client.send<ReadResourceResult>('resources/read', { uri: GUIDE })
    const [guide] = result.contents as { text: string }[]
    expect(guide!.text.includes('curl -T logo.png')).toBe(isExplained)
  })

  test('/mcp/studio has the prompt "Build a site"', async () => {
    const client = await connect('/mcp/studio', protocol, 'pages')
    const { result } = await client.send<{ prompts: object[] }>('prompts/list')
    expect(result.prompts).toMatchObject([{ name: 'build_site', title: 'Build a site' }])
    const prompt = await client.send<GetPromptResult>('prompts/get', {
      name: 'build_site',
      arguments: { topic: 'a bakery' },
    })
    expect(prompt.result.messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('about: a bakery') } },
    ])
    expect((await client.send('prompts/get', { name: 'other' })).error.code).toBe(-32_602)
  })

  test('/mcp has no resources and no prompts', async () => {
    const client = await connect('/mcp', protocol, 'pages')
    for (const method of ['resources/list', 'prompts/list', 'resources/read'])
      expect((await client.send(method, { uri: GUIDE })).error.code).toBe(-32_601)
  })
})

test('a server declares resources and prompts as capabilities only if it has them', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const client = await connect('/mcp/studio', '2025-11-25', 'pages')
  expect((await client.send('initialize', params)).result).toMatchObject({
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'space-site-studio' },
  })
  const stateless = await connect('/mcp/studio', '2026-07-28', 'pages')
  expect((await stateless.send('server/discover')).result).toMatchObject({
    capabilities: { tools: {}, resources: {}, prompts: {} },
  })
  const read = await stateless.send('resources/read', { uri: GUIDE })
  expect(read.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
  const mismatch = await stateless.send(
    'resources/read',
    { uri: GUIDE },
    { headers: { 'mcp-name': 'other' } },
  )
  expect(mismatch.error.code).toBe(-32_020)
})

test.each([
  ['/mcp/studio', 'pages data files files_write'],
  ['/mcp/readonly', 'pages data files'],
])('the 401 of %s has the address of that server’s own metadata', async (path, needed) => {
  const refusal = await restClient(service.root).post(path, {})
  const metadata = `http://localhost/.well-known/oauth-protected-resource${path}`
  expect(refusal.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${metadata}", scope="${needed}"`,
  )
  const { body } = await restClient(service.root).get(new URL(metadata).pathname)
  expect(body).toMatchObject({ resource: `http://localhost${path}` })
})
