import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { storedBytes } from '../support/stored-bytes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { statusAndFields } from './support/responses.ts'
import { ASTRAL } from './support/texts.ts'

interface File {
  id: string
  name: string
  content_type: string
  size: number
  url: string
  uploaded_by: string | null
  created_at: string
  updated_at: string
}

const service = useTestService()
let space: TestSpace
let api: RestClient

beforeAll(async () => {
  space = await service.createSpace()
  api = space.api
})

const sql = () => service.core.database
const upload = (fields: object) =>
  api.post<File>('/files', { name: 'note.txt', content: 'note', encoding: 'text', ...fields })
const create = async (fields: object = {}) => (await upload(fields)).body
const read = async ({ id }: { id: string }) => (await api.get<File>(`/files/${id}`)).body
const bytesOf = ({ id }: { id: string }) => storedBytes(sql(), id)

describe('a new file', () => {
  it('is returned without its content, on creation and on later reads', async () => {
    const { status, body } = await upload({ name: 'style.css', content: 'body {}' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[2-9a-z]{16}$/),
      name: 'style.css',
      content_type: 'text/css',
      size: 7,
      url: `http://${body.id}.files.localhost`,
      uploaded_by: space.owner.handle,
      created_at: body.created_at,
      updated_at: body.created_at,
    })
    expect(await read(body)).toEqual(body)
  })

  it('can have the same name as another file', async () => {
    const [one, two] = [await create({ name: 'same.txt' }), await create({ name: 'same.txt' })]
    expect(one.id).not.toBe(two.id)
    expect(await read(one)).toEqual(one)
  })

  it('has the issuer of the key as its uploader; the uploader is null after that account is deleted', async () => {
    const guest = await space.join()
    const { secret } = await guest.keys.issue({
      subdomain: space.subdomain,
      label: 'x',
      scopes: ['files_write'],
    })
    const rest = service.rest(secret, `/v1/spaces/${space.subdomain}`)
    const { body } = await rest.post<File>('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    expect(body.uploaded_by).toBe(guest.handle)
    await api.patch(`/files/${body.id}`, { name: 'b.txt' })
    expect((await read(body)).uploaded_by).toBe(guest.handle)
    await sql().deleteFrom('accounts').where('handle', '=', guest.handle).execute()
    expect((await read(body)).uploaded_by).toBeNull()
    const list = await api.get<{ data: File[] }>('/files')
    expect(list.body.data.find(({ id }) => id === body.id)?.uploaded_by).toBeNull()
  })

  it.each([
    ['name', { content: 'x', encoding: 'text' }],
    ['content', { name: 'a', encoding: 'text' }],
    ['encoding', { name: 'a', content: 'x' }],
    ['name', { name: null, content: 'x', encoding: 'text' }],
    ['name', { name: 1, content: 'x', encoding: 'text' }],
    ['content', { name: 'a', content: null, encoding: 'text' }],
    ['content', { name: 'a', content: 1, encoding: 'base64' }],
    ['content', { name: 'a', content: '', encoding: 'text' }],
    ['content', { name: 'a', content: '', encoding: 'base64' }],
    ['content', { name: 'a', content: ' \r\n', encoding: 'base64' }],
    ['encoding', { name: 'a', content: 'x', encoding: 'Text' }],
    ['encoding', { name: 'a', content: 'x', encoding: 'hex' }],
    ['encoding', { name: 'a', content: 'x', encoding: null }],
    ['content_type', { name: 'a', content: 'x', encoding: 'text', content_type: 'text/html' }],
  ])('is rejected with a single error for its %s: %j', async (field, body) => {
    expect(statusAndFields(await api.post('/files', body))).toEqual([422, field])
  })

  it.each([{}, { encoding: 'hex' }])(
    'is rejected with errors for both content and encoding if the content is empty: %j',
    async given => {
      const refused = await api.post('/files', { name: 'a', content: '', ...given })
      expect(statusAndFields(refused)).toEqual([422, 'content', 'encoding'])
      const file = await create()
      expect(statusAndFields(await api.patch(`/files/${file.id}`, { content: '', ...given }))).toEqual([
        422,
        'content',
        'encoding',
      ])
    },
  )

  it('is rejected with all its errors', async () => {
    expect(statusAndFields(await api.post('/files', {}))).toEqual([422, 'content', 'encoding', 'name'])
    const response = await api.post('/files', { name: '.', content: '*', encoding: 'base64', nope: 1 })
    expect(new Set(statusAndFields(response))).toEqual(new Set([422, 'name', 'content', 'nope']))
  })
})

describe('content', () => {
  it.each([
    ['YQ==', 'a'],
    ['YQ', 'a'],
    ['YWI=', 'ab'],
    ['YWI', 'ab'],
    ['YWJj', 'abc'],
    ['YW\r\nJj\n', 'abc'],
    ['  Y W J j ', 'abc'],
    ['YQ = =', 'a'],
    ['cz8+', 's?>'],
    ['wr/Cvg', '¿¾'],
  ])('can be %j in base64', async (content, text) => {
    const file = await create({ content, encoding: 'base64' })
    const bytes = await bytesOf(file)
    expect(file.size).toBe(bytes.length)
    expect(bytes.toString()).toBe(text)
  })

  it.each([
    '-_-_',
    'YQ=',
    'Y',
    'YWJjY',
    'YQ===',
    '====',
    '=',
    'Y=Q=',
    'YQ==YQ==',
    'Y,Q=',
    'YQ\t==',
    'YQ\u00a0',
    'é',
    'data:;base64,YQ==',
  ])('cannot be %j in base64', async content => {
    expect(statusAndFields(await upload({ content, encoding: 'base64' }))).toEqual([422, 'content'])
  })

  it('keeps every byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
    expect(await bytesOf(await create({ content: bytes.toString('base64'), encoding: 'base64' }))).toEqual(
      bytes,
    )
  })

  it.each([' ', '\n', '\u0000', 'a\u0000b', '  kept \r\n', '\ufeffmark', `é ${ASTRAL}`])(
    'is kept unchanged if it is sent as text: %j',
    async content => {
      const file = await create({ content })
      expect((await bytesOf(file)).equals(Buffer.from(content))).toBe(true)
      expect(file.size).toBe(Buffer.byteLength(content))
    },
  )

  it('cannot contain a lone surrogate if it is sent as text', async () => {
    expect(statusAndFields(await upload({ content: 'a\ud800' }))).toEqual([422, 'content'])
  })

  it('has at most 10485760 decoded bytes', async () => {
    const most = Buffer.alloc(10_485_760, 7)
    const file = await create({ content: most.toString('base64'), encoding: 'base64' })
    expect(file.size).toBe(10_485_760)
    const text = await create({ content: 'é'.repeat(5_242_880) })
    expect(text.size).toBe(10_485_760)
    const over = Buffer.alloc(10_485_761, 7).toString('base64')
    expect(statusAndFields(await upload({ content: over, encoding: 'base64' }))).toEqual([422, 'content'])
    expect(statusAndFields(await upload({ content: `${'é'.repeat(5_242_880)}a` }))).toEqual([422, 'content'])
    expect(
      statusAndFields(await api.patch(`/files/${text.id}`, { content: over, encoding: 'base64' })),
    ).toEqual([422, 'content'])
    expect(await read(text)).toEqual(text)
    for (const { id } of [file, text]) await api.delete(`/files/${id}`)
  })
})

describe('a PATCH of a file', () => {
  it('with a new name updates the type and keeps the content', async () => {
    const file = await create({ name: 'a.txt', content: 'content' })
    const { status, body } = await api.patch<File>(`/files/${file.id}`, { name: 'dir/b.css' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...file, name: 'b.css', content_type: 'text/css', updated_at: body.updated_at })
    expect(body.updated_at > file.updated_at).toBe(true)
    expect(await read(file)).toEqual(body)
    expect((await bytesOf(file)).toString()).toBe('content')
  })

  it('with new content keeps id, name, type and url', async () => {
    const file = await create({ name: 'a.txt' })
    const { body } = await api.patch<File>(`/files/${file.id}`, { content: 'YWJj', encoding: 'base64' })
    expect(body).toEqual({ ...file, size: 3, updated_at: body.updated_at })
    expect(body.updated_at > file.updated_at).toBe(true)
    expect((await bytesOf(file)).toString()).toBe('abc')
    expect(await read(file)).toEqual(body)
  })

  it('can change name and content together', async () => {
    const file = await create()
    const { body } = await api.patch<File>(`/files/${file.id}`, {
      name: 'b.png',
      content: 'new',
      encoding: 'text',
    })
    expect(body).toMatchObject({ id: file.id, name: 'b.png', content_type: 'image/png', size: 3 })
  })

  it.each([
    {},
    { name: 'note.txt' },
    { name: 'x/note.txt' },
    { content: 'note', encoding: 'text' },
    { content: 'bm90ZQ==', encoding: 'base64' },
  ])('keeps updated_at if it changes nothing: %j', async change => {
    const file = await create()
    const { status, body } = await api.patch(`/files/${file.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual(file)
  })

  it.each([
    ['encoding', { content: 'x' }],
    ['content', { encoding: 'text' }],
    ['encoding', { content: 'x', name: 'b.txt' }],
    ['content', { content: '', encoding: 'text' }],
    ['content', { content: null, encoding: 'text' }],
    ['encoding', { content: 'x', encoding: null }],
    ['name', { name: null }],
    ['file_id', { name: 'x', file_id: 'x' }],
    ['size', { name: 'x', size: 1 }],
  ])('is rejected with a single error for its %s: %j', async (field, change) => {
    const file = await create()
    expect(statusAndFields(await api.patch(`/files/${file.id}`, change))).toEqual([422, field])
    expect(await read(file)).toEqual(file)
  })

  it('is atomic: after many concurrent requests, name and content come from the same request', async () => {
    const file = await create()
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        api.patch(`/files/${file.id}`, {
          name: `${n}.txt`,
          content: String(n).repeat(n + 1),
          encoding: 'text',
        }),
      ),
    )
    const { name, size } = await read(file)
    const n = Number.parseInt(name, 10)
    expect(size).toBe(n + 1)
    expect((await bytesOf(file)).toString()).toBe(String(n).repeat(n + 1))
  })
})

it('a deleted file is not found', async () => {
  const file = await create()
  expect((await api.delete(`/files/${file.id}`)).status).toBe(204)
  for (const response of [
    await api.get(`/files/${file.id}`),
    await api.delete(`/files/${file.id}`),
    await api.patch(`/files/${file.id}`, { name: 'x' }),
  ])
    expect(response.body).toMatchObject({ status: 404, code: 'file_not_found' })
})
