import { describe, expect, test } from 'vitest'
import { rules } from '../../routers/api/rules.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { restoreTables } from '../openapi/scenario.ts'
import { restClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { hideTable } from './support/hide-table.ts'
import { protocols, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()

/** Returns the problem in the result of a failed tool call. */
const problemOf = ({ content }: ToolResult) =>
  JSON.parse(content[0]!.text) as { code: string; detail?: string; errors?: unknown[] }

const newSpace = async (...scopes: (typeof SPACE_SCOPES)[number][]) => {
  const space = await service.createSpace()
  const key = await space.key(...(scopes.length > 0 ? scopes : SPACE_SCOPES))
  return { space, key }
}

describe.each(protocols)('protocol %s', protocol => {
  const connect = async () => {
    const { space, key } = await newSpace()
    return { space, key, client: toolClient(service, '/mcp', key, protocol) }
  }

  test('a call of an unknown tool gets a JSON-RPC error that lists the available tools', async () => {
    const { client } = await connect()
    const { error, status } = await client.send('tools/call', { name: 'make_page', arguments: {} })
    expect(status).toBe(200)
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('create_page') })
  })

  test('an operation without a tool cannot be called as a tool', async () => {
    const person = await service.signUp()
    const client = toolClient(service, '/user-mcp', await person.token(...USER_SCOPES), protocol)
    for (const name of ['likes.put', 'createComment', 'me.get', '__proto__'])
      expect((await client.send('tools/call', { name })).error.code).toBe(-32_602)
  })

  test('every argument of the wrong type is reported with the expected type', async () => {
    const { client } = await connect()
    const result = await client.call('create_page', { slug: 5, kind: 'dynamic', html: ['x'], color: 'red' })
    expect(result.isError).toBe(true)
    expect(problemOf(result)).toMatchObject({
      code: 'validation_failed',
      errors: [
        { field: 'slug', message: 'must be a string' },
        { field: 'kind', message: 'must be "scripted" or "static"' },
        { field: 'html', message: 'must be a string' },
        { field: 'color', message: 'is not a field of this operation' },
      ],
    })
  })

  test.each([
    ['a list', []],
    ['a string', '{"slug":"x"}'],
    ['a number', 5],
  ])('`arguments` that are %s are rejected', async (_title, args) => {
    const { client } = await connect()
    const { result } = await client.send<ToolResult>('tools/call', { name: 'list_pages', arguments: args })
    expect(problemOf(result).errors).toEqual([{ field: '$', message: 'must be a JSON object' }])
  })

  test('a tool without required arguments can be called without arguments', async () => {
    const { client } = await connect()
    for (const params of [{}, { arguments: null }, { arguments: {} }]) {
      const { result } = await client.send<ToolResult>('tools/call', { name: 'list_pages', ...params })
      expect(result.structuredContent).toEqual({ data: [] })
    }
  })

  test('a subdomain argument is rejected, even if it names the key’s own space', async () => {
    const { client, space } = await connect()
    const result = await client.call('list_pages', { subdomain: space.subdomain })
    expect(problemOf(result).errors).toEqual([
      { field: 'subdomain', message: 'is not a field of this operation' },
    ])
  })

  test('insufficient_scope names the missing scope', async () => {
    const { key } = await newSpace('data')
    const result = await toolClient(service, '/mcp', key, protocol).call('list_pages')
    expect(problemOf(result)).toMatchObject({
      code: 'insufficient_scope',
      detail: 'This operation needs the scope pages.',
    })
  })

  test.each([
    ['a string', 'plain'],
    ['a string that holds JSON', '{"a":1}'],
    ['null', null],
    ['a number', 1.5],
    ['a list', [1, [2]]],
    ['an object with __proto__ and constructor keys', JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
    ['control characters and lone surrogates', 'a\0b\ud800'],
  ])('put_data stores %s exactly as sent', async (_title, value: unknown) => {
    const { client, space } = await connect()
    const put = await client.call('put_data', { key: 'it', value })
    expect(JSON.stringify(put.structuredContent?.value)).toBe(JSON.stringify(value))
    const { body } = await space.api.get('/data/it')
    expect(JSON.stringify(body.value)).toBe(JSON.stringify(value))
    expect((await client.call('get_data', { key: 'it' })).structuredContent).toEqual(body)
  })

  test('a page of the maximum size can be written and read back', async () => {
    const { client } = await connect()
    const html = `<p>“${'ü'.repeat(rules.page.html_max_length - 9)}”</p>`
    const { structuredContent } = await client.call('create_page', { slug: 'large', html })
    const page = await client.call('get_page', { page_id: structuredContent?.id })
    expect(page.structuredContent?.html).toBe(html)
    expect((JSON.parse(page.content[0]!.text) as { html: string }).html).toBe(html)

    const more = await client.call('create_page', { slug: 'larger', html: `${html}x` })
    expect(problemOf(more)).toMatchObject({ code: 'validation_failed', errors: [{ field: 'html' }] })
  })

  test('a file of the maximum size can be uploaded; one byte more is rejected', async () => {
    const { client, space } = await connect()
    const bytes = Buffer.alloc(rules.file.max_bytes, 'space site ')
    // Add line breaks, as some programs do when they write Base64.
    const content = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const upload = await client.call('upload_file', { name: 'large.bin', content, encoding: 'base64' })
    expect(upload.structuredContent).toMatchObject({ name: 'large.bin', size: rules.file.max_bytes })
    expect((await space.api.get(`/files/${String(upload.structuredContent?.id)}`)).body).toEqual(
      upload.structuredContent,
    )

    const more = Buffer.alloc(rules.file.max_bytes + 1).toString('base64')
    const refused = await client.call('upload_file', {
      name: 'larger.bin',
      content: more,
      encoding: 'base64',
    })
    expect(problemOf(refused)).toMatchObject({ code: 'validation_failed', errors: [{ field: 'content' }] })
  })

  test('a key revoked during a session stops working at once', async () => {
    const { client, space } = await connect()
    expect((await client.call('list_pages')).isError).toBeUndefined()
    const { subdomain, owner } = space
    for (const { id } of await owner.keys.list({ subdomain }))
      await owner.keys.revoke({ subdomain, key_id: id })
    for (const method of ['tools/call', 'tools/list']) {
      const { status, headers } = await client.send(
        method,
        method === 'tools/call' ? { name: 'list_pages' } : {},
      )
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toMatch(/^Bearer /)
    }
  })

  test('an internal error returns only a reference, which is in the log', async () => {
    const { client } = await connect()
    await hideTable(service, 'pages')
    const result = await client.call('list_pages')
    await restoreTables(service)
    const { code, detail } = problemOf(result)
    expect(code).toBe('internal_error')
    const reference = /^Reference (\w{16})$/.exec(detail ?? '')?.[1]
    expect(service.log).toContainEqual(expect.objectContaining({ reference, msg: 'fault' }))
    expect(JSON.stringify(result)).not.toMatch(/relation|select|hidden/)
  })

  test('each of several concurrent callers gets its own results', async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, connect))
    const rounds = Array.from({ length: 5 }, () => callers).flat()
    const results = await Promise.all(rounds.map(({ client }) => client.call('get_space')))
    expect(results.map(({ structuredContent }) => structuredContent?.subdomain)).toEqual(
      rounds.map(({ space }) => space.subdomain),
    )
  })
})

test('tools read what REST wrote, and REST reads what tools wrote', async () => {
  const { space, key } = await newSpace()
  const client = toolClient(service, '/mcp', key, '2026-07-28')
  const rest = restClient(`${service.root}/v1/spaces/${space.subdomain}`, key)
  const { body } = await rest.post('/pages', { slug: 'one', html: '<p>1</p>' })
  await client.call('update_page', { page_id: body.id, html: '<p>2</p>' })
  const page = await rest.get(`/pages/${String(body.id)}`)
  expect(page.body.html).toBe('<p>2</p>')
  expect((await client.call('get_page', { page_id: body.id })).structuredContent).toEqual(page.body)
})
