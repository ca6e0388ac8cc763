import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { rules } from '../../routers/api/rules.ts'
import { request } from '../space-api/support/http.ts'
import { withoutHistory } from '../support/history.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { protocols, type ToolClient, toolClient } from './support/tool-client.ts'

const MAX = rules.file.max_bytes

const service = useTestService()
let space: TestSpace
let secret: string
let client: ToolClient
beforeEach(async () => {
  space = await service.createSpace()
  secret = await space.key('files_write')
  client = toolClient(service, '/mcp/studio', secret, '2026-07-28')
})

interface Link {
  url: string
  name: string
  expires_at: string
  max_bytes: number
}

const create = async (name = 'logo.png'): Promise<Link> => {
  const { structuredContent, isError } = await client.call('create_upload_link', { name })
  expect(isError).toBeUndefined()
  return structuredContent as unknown as Link
}

type Sent = Parameters<typeof request>[3]
const send = ({ url }: Pick<Link, 'url'>, sent: Sent = { body: 'bytes' }, method = 'PUT') =>
  request(service.root, method, new URL(url).pathname, sent)

/**
 * Starts sending a file, and resolves when the service has checked the link and waits for the body.
 *
 * @returns a function that sends the body and resolves to the status of the response
 */
const startSending = async ({ url }: Link) => {
  const { hostname, port } = new URL(service.root)
  const headers = { expect: '100-continue', 'content-length': 5 }
  const path = new URL(url).pathname
  const outgoing = http.request({ hostname, port, method: 'PUT', path, headers, agent: false })
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  return async () => {
    const response = once(outgoing, 'response')
    outgoing.end('bytes')
    const [{ statusCode }] = (await response) as [http.IncomingMessage]
    return statusCode!
  }
}

const files = async () => (await space.api.get<{ data: { name: string }[] }>('/files')).body.data

const run = (statement: ReturnType<typeof sql>) => statement.execute(service.core.database)
const setSize = (statement: ReturnType<typeof sql>) =>
  withoutHistory(service.core.database, db => statement.execute(db))

/** Sends a file that must be refused, and checks that it is not stored. */
const refused = async (link: Pick<Link, 'url'>, sent?: Sent) => {
  const before = await files()
  const { status, body, headers } = await send(link, sent)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(await files()).toEqual(before)
  return { status, ...body } as Record<string, unknown>
}

describe('an upload link', () => {
  test.each(protocols)(
    'is returned over protocol %s, together with its expiry, the file name and the maximum size',
    async protocol => {
      const before = Date.now()
      const { structuredContent } = await toolClient(service, '/mcp/studio', secret, protocol).call(
        'create_upload_link',
        { name: 'a/b/logo.png' },
      )
      const { url, expires_at, ...rest } = structuredContent as unknown as Link
      expect(rest).toEqual({ name: 'logo.png', max_bytes: MAX })
      expect(url).toMatch(/^http:\/\/localhost\/uploads\/[0-9A-Za-z]{43}$/)
      const end = Date.parse(expires_at)
      expect(end).toBeGreaterThanOrEqual(before + 600_000)
      expect(end).toBeLessThanOrEqual(Date.now() + 600_000)
      expect(await files()).toEqual([])
    },
  )

  test.each(['PUT', 'POST'])('stores the bytes that %s sends, and returns the file', async method => {
    const bytes = Buffer.from([0, 255, 128, 34, 92, 10])
    const { status, body, headers } = await send(await create(), { body: bytes }, method)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'logo.png', content_type: 'image/png', size: 6, uploaded_by: space.owner.handle },
    })
    expect(headers).toMatchObject({ 'ratelimit-limit': expect.any(String), 'cache-control': 'no-store' })
    expect(await files()).toEqual([body])
    const { rows } = await run(sql`select bytes from blobs where digest = sha256(${bytes})`)
    expect((rows as { bytes: Buffer }[])[0]!.bytes.equals(bytes)).toBe(true)
  })

  test('ignores the content type of the body, unless it is a form', async () => {
    for (const type of ['text/plain', 'text/html', 'nonsense'])
      expect(
        (await send(await create(), { body: 'x', headers: { 'content-type': type } })).body,
      ).toMatchObject({
        content_type: 'image/png',
      })
  })

  test('accepts a file of the maximum size, with and without a declared length', async () => {
    const half = Buffer.alloc(MAX / 2)
    expect((await send(await create(), { body: Buffer.alloc(MAX) })).body).toMatchObject({ size: MAX })
    expect((await send(await create(), { chunks: [half, half] })).body).toMatchObject({ size: MAX })
  })

  test('creates another file if a file with the same name exists', async () => {
    await send(await create())
    expect((await send(await create())).status).toBe(201)
    expect((await files()).map(({ name }) => name)).toEqual(['logo.png', 'logo.png'])
  })

  test('works only once', async () => {
    const link = await create()
    expect((await send(link)).status).toBe(201)
    expect(await refused(link)).toMatchObject({
      status: 404,
      code: 'upload_link_not_found',
      detail: 'A file was already sent to this link.',
    })
  })

  test('stores one file when it is used several times at once', async () => {
    const link = await create()
    const sending = await Promise.all(Array.from({ length: 8 }, () => startSending(link)))
    const statuses = await Promise.all(sending.map(finish => finish()))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(404)])
    expect(await files()).toHaveLength(1)
  })

  test('adds a change to the history; the change names the key of the link, and can be undone', async () => {
    await send(await create())
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    expect(changes[0]).toMatchObject({
      kind: 'file',
      name: 'logo.png',
      actor: { kind: 'space_key', label: 'test' },
    })
    await space.owner.history.undo({
      subdomain: space.subdomain,
      actor: changes[0]!.actor.id,
      since: changes[0]!.at,
    })
    expect(await files()).toEqual([])
  })

  test('is stored only as a hash, and never logged', async () => {
    const link = await create()
    await send(link)
    const token = new URL(link.url).pathname.split('/').at(-1)!
    const { rows } = await run(sql`select to_jsonb(l)::text as row from upload_links as l`)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
    await expect
      .poll(() => service.log.some(({ path, status }) => path === '/uploads/…' && status === 201))
      .toBe(true)
    expect(JSON.stringify(service.log)).not.toContain(token)
  })
})

describe('the upload endpoint refuses', () => {
  const expire = sql`update upload_links set expires_at = now() - interval '1 second'`
  test.each([
    ['an expired link', () => run(expire), 'This link has expired.'],
    [
      'a link whose key has expired',
      () => run(sql`update space_keys set expires_at = now() - interval '1 second'`),
      'The key that created this link has expired.',
    ],
    ['a link whose key was revoked', () => run(sql`delete from space_keys`), undefined],
    ['a link whose creator has left the space', () => run(sql`delete from participants`), undefined],
  ])('%s', async (_, change, detail) => {
    const link = await create()
    const other = await service.createSpace()
    await change()
    const { status, body } = await send(link)
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 'upload_link_not_found' } })
    expect(body.detail).toBe(detail)
    const { rows } = await run(sql`select from files where space_id in
      (select id from spaces where subdomain in (${space.subdomain}, ${other.subdomain}))`)
    expect(rows).toEqual([])
  })

  test.each(['/uploads/x', `/uploads/${'a'.repeat(43)}`, `/uploads/${'%00'.repeat(43)}`])(
    'the unknown address %s',
    async path => {
      expect(await refused({ url: service.root + path })).toMatchObject({
        status: 404,
        code: 'upload_link_not_found',
      })
    },
  )

  test('an unknown address before it reads the body', async () => {
    const socket = connect(Number(new URL(service.root).port), '127.0.0.1')
    await once(socket, 'connect')
    // Send the headers only; the body never arrives.
    socket.write(`PUT /uploads/${'a'.repeat(43)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 404 /)
    socket.destroy()
  })

  test('methods other than PUT and POST', async () => {
    const link = await create()
    for (const method of ['GET', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await send(link, {}, method)
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, PUT' })
    }
  })

  test('too many bytes, declared or not, and the link works afterwards', async () => {
    const link = await create()
    const tooMany = Buffer.alloc(MAX + 1)
    for (const sent of [{ body: tooMany }, { chunks: [tooMany] }])
      expect(await refused(link, sent)).toMatchObject({
        status: 413,
        code: 'payload_too_large',
        detail: `This endpoint accepts at most ${MAX} bytes.`,
      })
    expect((await send(link)).status).toBe(201)
  })

  test.each<[what: string, headers: Record<string, string>, detail: string]>([
    ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'].map(
      (type): [string, Record<string, string>, string] => [
        `a form of type ${type}`,
        { 'content-type': type },
        'The body must be the bytes of the file, not a form that contains it. With curl, use -T FILE.',
      ],
    ),
    ['a compressed body', { 'content-encoding': 'gzip' }, 'The body must not be compressed.'],
  ])('%s, and the link works afterwards', async (_, headers, detail) => {
    const link = await create()
    expect(await refused(link, { body: 'x', headers })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
      detail,
    })
    expect((await send(link)).status).toBe(201)
  })

  test.each([
    { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://other.example' },
    { origin: 'null' },
  ])('a page of another site, with the headers %j, and the link works afterwards', async headers => {
    const link = await create()
    expect(await refused(link, { body: 'x', headers })).toMatchObject({
      status: 403,
      code: 'cross_site_request',
      detail: 'A page of another site cannot send a file here.',
    })
    expect((await send(link)).status).toBe(201)
  })

  test('an empty file', async () => {
    const link = await create()
    for (const sent of [{ body: '' }, {}])
      expect(await refused(link, sent)).toMatchObject({
        status: 422,
        errors: [{ field: 'content', message: 'must not be empty' }],
      })
    expect((await send(link)).status).toBe(201)
  })

  test('a file above the storage quota, and the link works once enough storage is free', async () => {
    const { owner, subdomain } = space
    const { id } = await owner.files.create({ subdomain, name: 'a.txt', encoding: 'text', content: 'x' })
    await setSize(sql`update files set size = ${rules.file.quota_bytes} where id = ${id}`)
    const link = await create()
    expect(await refused(link)).toMatchObject({ status: 409, code: 'storage_quota_exceeded' })
    await setSize(sql`update files set size = 1 where id = ${id}`)
    expect((await send(link)).status).toBe(201)
  })
})

test.each([{}, { name: '' }, { name: '..' }, { name: 7 }, { name: 'a'.repeat(256) }])(
  'create_upload_link refuses %j',
  async args => {
    const { isError, content } = await client.call('create_upload_link', args)
    expect(isError).toBe(true)
    expect(JSON.parse(content[0]!.text)).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'name' }],
    })
  },
)

test('create_upload_link needs the scope files_write', async () => {
  const reading = toolClient(service, '/mcp/studio', await space.key('files'), '2026-07-28')
  const { isError, content } = await reading.call('create_upload_link', { name: 'a.txt' })
  expect(isError).toBe(true)
  expect(JSON.parse(content[0]!.text)).toMatchObject({ code: 'insufficient_scope' })
})

test('create_upload_link is offered at /mcp/studio only', async () => {
  for (const path of ['/mcp', '/mcp/readonly'] as const)
    expect(
      (await toolClient(service, path, secret, '2025-11-25').tools()).map(({ name }) => name),
    ).not.toContain('create_upload_link')
})
