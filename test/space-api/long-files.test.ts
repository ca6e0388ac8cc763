import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { storedBytes } from '../support/stored-bytes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

interface File {
  id: string
  size: number
}

const service = useTestService()
let space: TestSpace

beforeAll(async () => {
  space = await service.createSpace()
})

const bytesOf = (id: string) => storedBytes(service.core.database, id)

const upload = (fields: object) =>
  space.api.post<File>('/files', { name: 'long.bin', encoding: 'base64', ...fields })

const BYTES = randomBytes(3_000_001)

/** A string with multi-byte characters and characters that JSON escapes. */
const TEXT = 'a "quoted" line\n\\ é € 😀\u0001'.repeat(100_000)

describe('the content of a file of several megabytes', () => {
  test.each([
    ['base64', BYTES.toString('base64'), BYTES],
    ['base64 without padding', BYTES.toString('base64').replace(/=+$/, ''), BYTES],
    ['base64 in lines', BYTES.toString('base64').replace(/.{76}/g, '$&\r\n '), BYTES],
  ])('is stored unchanged if it is sent as %s', async (_name, content, expected) => {
    const { status, body } = await upload({ content })
    expect(status).toBe(201)
    expect(body.size).toBe(expected.length)
    expect((await bytesOf(body.id)).equals(expected)).toBe(true)
  })

  test('is stored as UTF-8 if it is sent as text', async () => {
    const { body } = await upload({ content: TEXT, encoding: 'text' })
    expect((await bytesOf(body.id)).equals(Buffer.from(TEXT))).toBe(true)
  })

  test('can replace the content of another file', async () => {
    const { body } = await upload({ content: 'QQ==' })
    const change = { content: BYTES.toString('base64'), encoding: 'base64' }
    expect((await space.api.patch(`/files/${body.id}`, change)).status).toBe(200)
    expect((await bytesOf(body.id)).equals(BYTES)).toBe(true)
    // Sending the same content again changes nothing, not even `updated_at`.
    const { body: before } = await space.api.get<File>(`/files/${body.id}`)
    expect((await space.api.patch<File>(`/files/${body.id}`, change)).body).toEqual(before)
  })

  test('can be uploaded with a tool call', async () => {
    const response = await fetch(`${service.root}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await space.key('files_write')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'upload_file',
          arguments: { name: 'x', content: BYTES.toString('base64'), encoding: 'base64' },
        },
      }),
    })
    const { result } = (await response.json()) as { result: { structuredContent: File } }
    expect((await bytesOf(result.structuredContent.id)).equals(BYTES)).toBe(true)
  })

  const long = BYTES.toString('base64')
  const NOT_BASE64 = 'must be base64 in the standard alphabet'

  test.each<[string, object, object[]]>([
    ['is not base64', { content: `${long}AA` }, [{ field: 'content', message: NOT_BASE64 }]],
    ['has a letter that is not base64', { content: `_${long}` }, [{ field: 'content', message: NOT_BASE64 }]],
    [
      'consists of spaces',
      { content: ' '.repeat(2_000_000) },
      [{ field: 'content', message: 'must not be empty' }],
    ],
    [
      'is too long',
      { content: 'A'.repeat(14_000_000) },
      [{ field: 'content', message: 'must have at most 10485760 bytes, but has 10500000' }],
    ],
    [
      'has a lone surrogate',
      { content: `\uD800${long}`, encoding: 'text' },
      [{ field: 'content', message: 'must not contain a lone surrogate' }],
    ],
    [
      'is invalid together with other fields',
      { content: `${long}AA`, name: '..', extra: 1 },
      [
        { field: 'content', message: NOT_BASE64 },
        { field: 'extra', message: 'is not a field of this operation' },
        { field: 'name', message: 'must not be "." or ".."' },
      ],
    ],
    [
      'is invalid and the body contains a path parameter',
      { content: `${long}AA`, subdomain: 'x' },
      [
        { field: 'content', message: NOT_BASE64 },
        { field: 'subdomain', message: 'is not a field of this operation' },
      ],
    ],
  ])('is refused if it %s', async (_name, fields, errors) => {
    const { status, body } = await upload(fields)
    expect(status).toBe(422)
    const byField = (body as unknown as { errors: { field: string }[] }).errors.toSorted((a, b) =>
      a.field.localeCompare(b.field),
    )
    expect(byField).toEqual(errors)
  })

  test.each([
    ['an unknown escape sequence', '{"name":"x","encoding":"text","content":"\\x', '"}'],
    ['a control character', '{"name":"x","encoding":"text","content":"\n', '"}'],
    ['no end', '{"name":"x","encoding":"text","content":"', ''],
  ])('is rejected as invalid JSON with %s', async (_name, start, end) => {
    const response = await fetch(`${service.root}/v1/spaces/${space.subdomain}/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await space.key('files_write')}`,
        'content-type': 'application/json',
      },
      body: `${start}${long}${end}`,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_json' })
  })

  test('is refused if it is sent in the fields `name` and `encoding` instead of `content`', async () => {
    const { status, body } = await space.api.post('/files', { name: long, content: 'QQ==', encoding: long })
    expect(status).toBe(422)
    const { errors } = body as unknown as { errors: { field: string }[] }
    expect(errors.map(({ field }) => field).sort()).toEqual(['encoding', 'name'])
  })
})
