import { describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { useTestService } from '../support/test-service.ts'
import { type ToolClient, toolClient } from './support/tool-client.ts'

const service = useTestService()
const META = 'io.modelcontextprotocol/'
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const connect = async (protocol: '2025-11-25' | '2026-07-28'): Promise<ToolClient> =>
  toolClient(service, '/mcp', await (await service.createSpace()).key(...SPACE_SCOPES), protocol)

describe('a client of the handshake protocol', () => {
  const initializeParams = (protocolVersion: string) => ({
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })

  test.each(HANDSHAKE_VERSIONS)('can choose %s', async version => {
    const client = await connect('2025-11-25')
    const { result } = await client.send('initialize', initializeParams(version), {
      headers: { 'mcp-protocol-version': undefined },
    })
    expect(result).toMatchObject({
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: 'space-site', title: 'Space Site', version: '1.6.0' },
      instructions: expect.stringContaining('get_space'),
    })
    expect(result.capabilities).toEqual({ tools: {} })
  })

  test('is offered the newest handshake version when it names an unknown one', async () => {
    const client = await connect('2025-11-25')
    const { result } = await client.send('initialize', initializeParams('1999-01-01'))
    expect(result.protocolVersion).toBe('2025-11-25')
  })

  test('gets a short, readable error for malformed initialize parameters', async () => {
    const client = await connect('2025-11-25')
    const { error } = await client.send('initialize', { protocolVersion: 5 })
    expect(error).toEqual({ code: -32_602, message: 'Invalid parameters for initialize' })
  })

  test('can call a tool without a version header, as clients of 2024-11-05 do', async () => {
    const client = await connect('2025-11-25')
    const { result } = await client.send(
      'tools/call',
      { name: 'list_pages' },
      { headers: { 'mcp-protocol-version': undefined } },
    )
    expect(result.structuredContent).toEqual({ data: [] })
  })

  test('gets the supported versions when its header names an unknown one', async () => {
    const client = await connect('2025-11-25')
    const { status, error } = await client.send(
      'ping',
      {},
      { headers: { 'mcp-protocol-version': '1999-01-01' } },
    )
    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: -32_022,
      data: { requested: '1999-01-01', supported: ['2026-07-28', ...HANDSHAKE_VERSIONS] },
    })
  })

  test('gets -32602 for a cursor, because the list of tools has one page', async () => {
    const client = await connect('2025-11-25')
    expect((await client.send('tools/list', { cursor: 'x' })).error.code).toBe(-32_602)
  })

  test('gets -32601 for an unknown method', async () => {
    const client = await connect('2025-11-25')
    expect((await client.send('prompts/list')).error.code).toBe(-32_601)
  })
})

describe('a client of 2026-07-28', () => {
  test('gets versions, capabilities, instructions and server info from server/discover, and may cache them', async () => {
    const client = await connect('2026-07-28')
    const { result } = await client.send('server/discover')
    expect(result).toEqual({
      supportedVersions: ['2026-07-28', ...HANDSHAKE_VERSIONS],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('get_space') as string,
      ttlMs: 3_600_000,
      cacheScope: 'private',
      resultType: 'complete',
      _meta: { [`${META}serverInfo`]: { name: 'space-site', title: 'Space Site', version: '1.6.0' } },
    })
  })

  test('can cache the list of tools', async () => {
    const client = await connect('2026-07-28')
    const { result } = await client.send('tools/list')
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' })
    expect(result.tools).toEqual(await (await connect('2025-11-25')).tools())
  })

  test('gets -32602 for a cursor, because the list of tools has one page', async () => {
    const client = await connect('2026-07-28')
    expect((await client.send('tools/list', { cursor: 'x' })).error.code).toBe(-32_602)
  })

  test('gets results with `resultType: complete`', async () => {
    const client = await connect('2026-07-28')
    expect(await client.call('list_pages')).toMatchObject({ resultType: 'complete' })
    expect(await client.call('get_page', { page_id: 'x' })).toMatchObject({
      resultType: 'complete',
      isError: true,
    })
  })

  test.each(['initialize', 'ping', 'subscriptions/listen', 'prompts/list'])(
    'gets 404 and -32601 for %s',
    async method => {
      const { status, error } = await (await connect('2026-07-28')).send(method)
      expect(status).toBe(404)
      expect(error.code).toBe(-32_601)
    },
  )

  const call = (client: ToolClient, headers: Record<string, string | undefined>) =>
    client.send('tools/call', { name: 'list_pages' }, { headers })

  test.each<[string, Record<string, string | undefined>]>([
    ['no Mcp-Method', { 'mcp-method': undefined }],
    ['another Mcp-Method', { 'mcp-method': 'tools/list' }],
    ['an Mcp-Method in another case', { 'mcp-method': 'TOOLS/CALL' }],
    ['no Mcp-Name', { 'mcp-name': undefined }],
    ['another Mcp-Name', { 'mcp-name': 'list_parts' }],
    ['another Mcp-Name in Base64', { 'mcp-name': `=?base64?${btoa('list_parts')}?=` }],
    ['an Mcp-Name in broken Base64', { 'mcp-name': '=?base64?bGlzdF9wYWdlcw=?=' }],
    ['an Mcp-Name in Base64 that is not UTF-8', { 'mcp-name': '=?base64?//79?=' }],
    ['no MCP-Protocol-Version', { 'mcp-protocol-version': undefined }],
    ['another MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('is refused with %s', async (_title, headers) => {
    const { status, error } = await call(await connect('2026-07-28'), headers)
    expect(status).toBe(400)
    expect(error.code).toBe(-32_020)
  })

  test.each([
    ['in Base64', `=?base64?${btoa('list_pages')}?=`],
    ['with whitespace around it', '  list_pages '],
  ])('can send the Mcp-Name header %s', async (_title, name) => {
    const { result } = await call(await connect('2026-07-28'), { 'mcp-name': name })
    expect(result.structuredContent).toEqual({ data: [] })
  })

  const withMeta = (meta: unknown) => ({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/list',
    params: meta === undefined ? {} : { _meta: meta },
  })

  test.each([
    ['no _meta', undefined],
    ['a _meta without the version', { [`${META}clientCapabilities`]: {} }],
    ['a _meta without the capabilities', { [`${META}protocolVersion`]: '2026-07-28' }],
    ['a version that is not a string', { [`${META}protocolVersion`]: 1, [`${META}clientCapabilities`]: {} }],
    [
      'capabilities that are not an object',
      { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: [] },
    ],
  ])('gets an error that names the required keys if it sends %s', async (_title, meta) => {
    const client = await connect('2026-07-28')
    const { status, error } = await client.send('tools/list', {}, { message: withMeta(meta) })
    expect(status).toBe(400)
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('clientCapabilities') })
  })

  test.each(['2027-01-01', '2025-11-25'])(
    'gets an error that lists the supported versions if the header and the body request %s',
    async version => {
      const client = await connect('2026-07-28')
      const meta = { [`${META}protocolVersion`]: version, [`${META}clientCapabilities`]: {} }
      const { status, error } = await client.send(
        'tools/list',
        {},
        { message: withMeta(meta), headers: { 'mcp-protocol-version': version } },
      )
      expect(status).toBe(400)
      expect(error).toMatchObject({
        code: -32_022,
        data: { requested: version, supported: ['2026-07-28', ...HANDSHAKE_VERSIONS] },
      })
    },
  )
})
