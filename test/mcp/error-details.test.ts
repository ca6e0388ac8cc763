import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rules } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
let client: Client

beforeAll(async () => {
  const { key } = await service.createSpace()
  const authorization = `Bearer ${await key(...SPACE_SCOPES)}`
  client = new Client({ name: 'test', version: '1' })
  const address = new URL(`${service.root}/mcp/studio`)
  await client.connect(
    new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } }),
  )
})
afterAll(() => client.close())

interface Failure {
  code: string
  detail?: string
  errors?: { field: string; message: string }[]
}

/** Calls a tool and expects it to fail. Returns the problem, and all texts of the result. */
const fail = async (name: string, args: Record<string, unknown>) => {
  const { isError, content } = await client.callTool({ name, arguments: args })
  expect(isError).toBe(true)
  const texts = (content as { text: string }[]).map(({ text }) => text)
  return { problem: JSON.parse(texts[0]!) as Failure, texts }
}

const create = async (name: string, args: Record<string, unknown>) => {
  const { isError, structuredContent } = await client.callTool({ name, arguments: args })
  expect(isError).toBeUndefined()
  return structuredContent as { id: string }
}

describe('if a file is too large to upload, the error states the maximum size of a file', () => {
  test('for a file that is one byte too large', async () => {
    const content = Buffer.alloc(rules.file.max_bytes + 1).toString('base64')
    const { problem } = await fail('upload_file', { name: 'a.bin', content, encoding: 'base64' })
    expect(problem.errors).toEqual([
      {
        field: 'content',
        message: `must have at most ${rules.file.max_bytes} bytes, but has ${rules.file.max_bytes + 1}`,
      },
    ])
  })

  test('for a file of 15 MB, which exceeds the size limit of every request', async () => {
    const content = Buffer.alloc(15_000_000).toString('base64')
    const upload = client.callTool({
      name: 'upload_file',
      arguments: { name: 'a.bin', content, encoding: 'base64' },
    })
    await expect(upload).rejects.toThrow(
      `A file in a request can have at most ${rules.file.max_bytes} bytes.`,
    )
  })
})

describe('if `html` is too long', () => {
  const max = rules.page.html_max_length
  const html = 'x'.repeat(max + 5)
  const message = `must be 1 to ${max} characters long, but has ${max + 5}`

  test.each([
    ['create_page', { slug: 'long', html }, 'html', message],
    ['create_part', { name: 'long', html }, 'html', message],
    ['check_template', { html }, 'html', message],
    ['write_many', { pages: [{ slug: 'long', html }] }, 'pages.0.html', message],
  ])('the error of %s states the length', async (name, args, field, expected) => {
    const { problem } = await fail(name, args)
    expect(problem.errors).toEqual([{ field, message: expected }])
  })

  test('the error of edit_page states the length of the result, and names the field `edits`', async () => {
    const { id } = await create('create_page', { slug: 'edited', html: `a${'x'.repeat(max - 1)}` })
    const { problem } = await fail('edit_page', { page_id: id, edits: [{ old: 'a', new: 'bbb' }] })
    expect(problem.errors).toEqual([
      {
        field: 'edits',
        message: `must leave a valid body: the result must be 1 to ${max} characters long, but has ${max + 2}`,
      },
    ])
  })
})

test('the errors slug_taken and part_name_taken contain the id of the page or part that has the name', async () => {
  const page = await create('create_page', { slug: 'taken', html: 'x' })
  const other = await create('create_page', { slug: 'other', html: 'x' })
  const part = await create('create_part', { name: 'taken', html: 'x' })
  const taken = { code: 'slug_taken', detail: `The page ${page.id} has this slug.` }
  expect((await fail('create_page', { slug: 'taken', html: 'y' })).problem).toMatchObject(taken)
  expect((await fail('update_page', { page_id: other.id, slug: 'taken' })).problem).toMatchObject(taken)
  expect((await fail('create_part', { name: 'taken', html: 'y' })).problem).toMatchObject({
    code: 'part_name_taken',
    detail: `The part ${part.id} has this name.`,
  })
})

test('the error of the tool `restore` names the page that has the slug now', async () => {
  const deleted = await create('create_page', { slug: 'moved', html: 'x' })
  await create('delete_page', { page_id: deleted.id })
  const page = await create('create_page', { slug: 'moved', html: 'y' })
  const { changes } = (await create('list_changes', { thing: deleted.id })) as unknown as {
    changes: { id: string }[]
  }
  const { problem } = await fail('restore', { change_id: changes[0]!.id, side: 'before' })
  expect(problem).toMatchObject({ code: 'slug_taken', detail: `The page ${page.id} has this slug.` })
})

describe('“Nothing was written”', () => {
  const ABSENT = '2222222222222222'

  test.each([
    ['get_page', { page_id: ABSENT }],
    ['get_page', {}],
    ['get_part', { part_id: ABSENT }],
    ['get_data', { key: 'absent' }],
    ['get_data', { key: 'Not a key' }],
    ['get_file', { file_id: ABSENT }],
    ['render_page', { page_id: ABSENT }],
    ['check_template', { html: '' }],
    ['search', { text: '' }],
    ['list_changes', { since: 'yesterday' }],
  ])('is not in the error if a tool that only reads is called: %s with %o', async (name, args) => {
    const { texts } = await fail(name, args)
    expect(texts).toHaveLength(2)
    expect(texts.join('\n')).not.toMatch(/nothing was (written|changed|stored)/i)
  })

  test.each([
    ['create_page', { slug: 'Not a slug', html: 'x' }],
    ['create_part', { name: 'Not a name', html: 'x' }],
    ['write_many', {}],
  ])('is in the error if a tool that writes is called: %s with %o', async (name, args) => {
    const { texts } = await fail(name, args)
    expect(texts[1]).toMatch(/^Nothing was written\./)
  })
})
