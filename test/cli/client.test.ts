import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiError, createClient, fileFrom, headersOf, nextOf } from '../../facades/cli/client/client.ts'
import { rules } from '../../routers/api/rules.ts'
import { useTestService } from '../support/test-service.ts'

type Call = (...args: unknown[]) => Promise<Record<string, unknown>>

/** An answer of the server between the client and the service: a status, or no answer at all. */
type Answer = number | 'broken' | ((res: ServerResponse) => void)

// Answers what the test says, because the service is not broken, busy or behind a proxy at a given moment.
let answers: Answer[]
let received: { method: string; url: string; key: string | undefined }[]

const answer = (req: IncomingMessage, res: ServerResponse) => {
  received.push({
    method: req.method!,
    url: req.url!,
    key: req.headers['idempotency-key']?.toString(),
  })
  req.resume()
  const next = answers.shift() ?? 200
  if (next === 'broken') req.socket.destroy()
  else if (typeof next === 'function') next(res)
  else if (next === 200) res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"x"}')
  else problem(next, { 'Retry-After': '0' })(res)
}

const problem =
  (status: number, headers: Record<string, string> = {}, code = 'some_code') =>
  (res: ServerResponse) =>
    void res
      .writeHead(status, { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'k3v9', ...headers })
      .end(JSON.stringify({ type: 'x', title: 'No', status, code, detail: 'Not now.' }))

const server = createServer(answer)
let url: string
beforeAll(async () => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answers = []
  received = []
})

const CALLS = {
  GET: ['getPage', { page_id: 'x' }],
  POST: ['createPage', { slug: 'x', html: 'x' }],
  PATCH: ['updatePage', { page_id: 'x', html: 'x' }],
  PUT: ['putData', { key: 'x', value: 1 }],
  DELETE: ['deletePage', { page_id: 'x' }],
} as const
type Method = keyof typeof CALLS

const calling = (method: Method, options = {}, more = {}) => {
  const client = createClient({ url, space: 'garden', key: 'ss_sk_x', ...more }) as Record<string, Call>
  const [name, input] = CALLS[method]
  return client[name]!(input, options)
}
const methods = Object.keys(CALLS) as Method[]

describe('a call', () => {
  it.each(methods)('by %s is sent again after a 429', async method => {
    answers = [429, 429]
    expect(await calling(method)).toEqual({ id: 'x' })
    expect(received.map(one => one.method)).toEqual([method, method, method])
  })

  it.each(methods.filter(method => method !== 'PATCH'))('by %s is sent again after a 503', async method => {
    answers = [503]
    expect(await calling(method)).toEqual({ id: 'x' })
    expect(received).toHaveLength(2)
  })

  it('by PATCH is not sent again after a 503 or a broken connection, because it may have taken effect', async () => {
    answers = [503]
    await expect(calling('PATCH')).rejects.toMatchObject({ status: 503 })
    answers = ['broken']
    await expect(calling('PATCH')).rejects.toThrow(TypeError)
    expect(received).toHaveLength(2)
  })

  it('by POST has an Idempotency-Key, the same when it is sent again, and another one for another call', async () => {
    answers = [503, problem(409, { 'Retry-After': '0' }, 'idempotency_in_progress'), 200]
    await calling('POST')
    await calling('POST')
    await calling('POST', { idempotencyKey: 'mine' })
    const [first, second, third, another, own] = received.map(({ key }) => key)
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect([second, third, own]).toEqual([first, first, 'mine'])
    expect(another).not.toBe(first)
    await calling('GET')
    expect(received.at(-1)!.key).toBeUndefined()
  })

  it.each([400, 401, 404, 409, 412, 422, 500, 502])(
    'that is refused with %d is not sent again',
    async status => {
      answers = [status]
      await expect(calling('GET')).rejects.toMatchObject({ status })
      expect(received).toHaveLength(1)
    },
  )

  it('is sent five times at most, or as often as its options say', async () => {
    answers = Array(20).fill(429)
    await expect(calling('GET')).rejects.toMatchObject({ status: 429 })
    expect(received).toHaveLength(5)
    await expect(calling('GET', { retry: { attempts: 2 } })).rejects.toMatchObject({ status: 429 })
    expect(received).toHaveLength(7)
    await expect(calling('GET', {}, { retry: { attempts: 3 } })).rejects.toMatchObject({ status: 429 })
    expect(received).toHaveLength(10)
    await expect(calling('GET', { retry: false })).rejects.toMatchObject({ status: 429 })
    await expect(calling('GET', {}, { retry: false })).rejects.toMatchObject({ status: 429 })
    expect(received).toHaveLength(12)
  })

  it('does not wait longer than its options say', async () => {
    answers = [problem(429, { 'Retry-After': '121' }), problem(429, { 'Retry-After': '3' })]
    await expect(calling('GET')).rejects.toMatchObject({ retryAfter: 121 })
    await expect(calling('GET', { retry: { seconds: 2 } })).rejects.toMatchObject({ retryAfter: 3 })
    expect(received).toHaveLength(2)
  })

  it('ends with its signal, also while it waits', async () => {
    const controller = new AbortController()
    answers = [
      res => {
        problem(429, { 'Retry-After': '100' })(res)
        res.on('close', () => controller.abort(new Error('enough')))
      },
    ]
    await expect(calling('GET', { signal: controller.signal })).rejects.toThrow('enough')
    await expect(calling('GET', { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never')
    expect(received).toHaveLength(1)
  })

  it('follows no redirect, because the credential belongs to this address', async () => {
    answers = [res => void res.writeHead(302, { Location: `${url}/elsewhere` }).end()]
    await expect(calling('GET')).rejects.toMatchObject({ status: 302, code: 'unexpected_response' })
    expect(received).toHaveLength(1)
  })

  it.each([200, 502])('fails if a proxy answers with HTML and %d', async status => {
    answers = [res => void res.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>')]
    const error: unknown = await calling('GET').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, code: 'unexpected_response', errors: [] })
  })

  it('escapes what is in the path', async () => {
    const client = createClient({ url: `${url}/`, space: 'garden', key: 'x' }) as Record<string, Call>
    await client.getPage!({ page_id: '../../me?x#y' })
    expect(received[0]!.url).toBe('/v1/spaces/garden/pages/..%2F..%2Fme%3Fx%23y')
    await expect(client.getPage!({})).rejects.toThrow('getPage needs page_id')
    expect(received).toHaveLength(1)
  })
})

it.each([
  [{ url: 'nowhere', token: 'x' }, 'needs the url'],
  [{ url: 'https://space.example', space: 'garden', key: undefined }, 'needs a space and a key'],
  [{ url: 'https://space.example', key: 'x' }, 'needs a space and a key'],
  [{ url: 'https://space.example', token: '' }, 'or the token'],
])('a client cannot be made with %j', (options, message) => {
  expect(() => createClient(options as never)).toThrow(message)
})

describe('the client of a real service', () => {
  const service = useTestService()

  it('has the code, the broken rules and the reference of an error, but not the credential', async () => {
    const space = await service.createSpace()
    const key = await space.key('pages')
    const client = createClient({ url: service.root, space: space.subdomain, key }) as Record<string, Call>
    const error: unknown = await client.createPage!({ slug: 'A b', html: '' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'validation_failed',
      status: 422,
      errors: [{ field: 'slug' }, { field: 'html' }],
      requestId: expect.stringMatching(/^\w+$/),
    })
    const { message, stack } = error as Error
    expect(message).toMatch(/^createPage: 422 validation_failed: slug must .*; html must /)
    expect(JSON.stringify([message, stack, error, client])).not.toContain(key)
  })

  it('changes only what was read, and returns what is still current', async () => {
    const space = await service.createSpace()
    const key = await space.key('pages')
    const client = createClient({ url: service.root, space: space.subdomain, key }) as Record<string, Call>
    const page = await client.createPage!({ slug: 'x', html: 'one' })
    const { id: page_id } = page
    expect(await client.getPage!({ page_id }, { ifNoneMatch: page })).toBe(page)
    await client.updatePage!({ page_id, html: 'two' }, { ifMatch: page })
    expect(await client.getPage!({ page_id }, { ifNoneMatch: page })).toMatchObject({ html: 'two' })
    const stale = client.updatePage!({ page_id, html: 'three' }, { ifMatch: page })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    await expect(client.deletePage!({ page_id }, { ifMatch: {} })).rejects.toThrow('what a call has returned')
    const list = await client.listPages!()
    await expect(client.deletePage!({ page_id }, { ifMatch: list })).rejects.toThrow('lists have not')
    expect(
      await client.deletePage!({ page_id }, { ifMatch: headersOf(page).get('etag')! }).catch(String),
    ).toContain('precondition_failed')
  })

  it('lists comments to the end', async () => {
    const person = await service.signUp()
    const token = await person.token('posts', 'comments')
    const client = createClient({ url: service.root, token }) as Record<string, Call>
    const { id: post_id } = await client.createPost!({ html: 'x' })
    for (let n = 0; n < 101; n++)
      await person.discussions.addComment({ post_id: post_id as string, body: `${n}` })
    const first = await client.listComments!({ post_id })
    const second = await client.listComments!({ post_id, ...nextOf(first) })
    expect(second.data).toMatchObject([{ body: '100' }])
    expect(nextOf(second)).toBeUndefined()
  })
})

describe('a file to upload', () => {
  const content = Buffer.from('beans').toString('base64')
  it.each([
    ['bytes', () => fileFrom(Buffer.from('beans'), 'x')],
    ['a blob', () => fileFrom(new Blob(['be', 'ans']), 'x')],
    ['a file', () => fileFrom(new File(['beans'], 'x'))],
    ['a stream of Node.js', () => fileFrom(Readable.from([Buffer.from('be'), Buffer.from('ans')]), 'x')],
    ['a web stream', () => fileFrom(new Response('beans').body!, 'x')],
  ])('can be %s', async (_, read) => {
    expect(await read()).toEqual({ name: 'x', content, encoding: 'base64' })
  })

  it('has the name of the file on the disk', async () => {
    const address = new URL(import.meta.url)
    for (const source of [address, import.meta.filename])
      expect((await fileFrom(source)).name).toBe('client.test.ts')
    await expect(fileFrom(Buffer.from('x'))).rejects.toThrow('needs a name')
  })

  it('is refused as soon as it is too large, before it is complete', async () => {
    const endless = async function* () {
      for (;;) yield new Uint8Array(1_048_576)
    }
    await expect(fileFrom(endless(), 'x')).rejects.toThrow(`larger than ${rules.file.max_bytes} bytes`)
  })
})
