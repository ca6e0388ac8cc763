import { beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, pathOf, type Row, spaceOperations } from '../contract/operations.ts'
import { fillSpace, type PathValues } from '../contract/resources.ts'
import { protocols, toolClient } from '../mcp/support/tool-client.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { concurrentlyInSpace } from '../support/transactions.ts'
import { request } from './support/http.ts'

const service = useTestService()
let space: TestSpace
let secret: string
beforeAll(async () => {
  space = await service.createSpace()
  secret = await space.key('pages', 'data', 'files_write')
})

const send = (row: Row, values: PathValues, headers: Record<string, string> = {}) =>
  request(service.root, row.operation.method, pathOf(row, values), {
    headers: {
      Authorization: `Bearer ${secret}`,
      ...(row.operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(row.operation.takesBody ? { body: JSON.stringify(bodyOf(row)) } : {}),
  })

const conditional = spaceOperations.filter(({ facts }) => facts.conditional)
const reads = conditional.filter(({ operation }) => operation.method === 'GET')
const writes = conditional.filter(({ operation }) => operation.method !== 'GET')

/** For an operation that writes a resource, returns the operation that reads the same resource. */
const readOf = ({ operation }: Row) => reads.find(read => read.operation.path === operation.path)!

/** Returns the current ETag of the resource, with its quotes. */
const tagOf = async (row: Row, values: PathValues) => String((await send(readOf(row), values)).headers.etag)

/** Returns the API's response for the resource as text, to show whether a write changed anything. */
const stateOf = async (row: Row, values: PathValues) => (await send(readOf(row), values)).text

it('every operation that returns a single page, part, record or file returns its ETag', async () => {
  const tagged = []
  for (const row of spaceOperations) {
    const { headers } = await send(row, await fillSpace(space))
    if (headers.etag !== undefined) tagged.push(row.operation.name)
  }
  expect(tagged.toSorted()).toEqual([
    'data.get',
    'data.put',
    'files.create',
    'files.get',
    'files.update',
    'pages.create',
    'pages.get',
    'pages.update',
    'parts.create',
    'parts.get',
    'parts.update',
  ])
})

describe.each(writes)('$title', row => {
  it('takes effect if If-Match is the current tag, a list that contains the current tag, or *', async () => {
    const headers = [
      (tag: string) => tag,
      (tag: string) => `"other", ${tag}`,
      (tag: string) => ` ,W/"weak" ,\t${tag},, "x,y"`,
      () => '*',
      () => ' * ',
    ]
    for (const header of headers) {
      const values = await fillSpace(space)
      const response = await send(row, values, { 'If-Match': header(await tagOf(row, values)) })
      expect(response.status).toBe(row.facts.status)
    }
  })

  it('returns 412 and changes nothing if If-Match is a different tag, a weak tag or malformed', async () => {
    const values = await fillSpace(space)
    const tag = await tagOf(row, values)
    const before = await stateOf(row, values)
    const bare = tag.slice(1, -1)
    const headers = [
      '"other"',
      `W/${tag}`,
      bare,
      `'${bare}'`,
      `"${bare}`,
      `${tag} ${tag}`,
      `${tag}, *`,
      `${tag}; "x"`,
      `${tag}, other`,
      `w/${tag}`,
      `"${bare} "`,
      ',',
      '""',
    ]
    for (const header of headers) {
      const response = await send(row, values, { 'If-Match': header })
      expect([header, response.status, response.body.code]).toEqual([header, 412, 'precondition_failed'])
      expect(response.body.detail).toBeTruthy()
    }
    expect(await stateOf(row, values)).toBe(before)
  })

  it('returns 412 if If-Match is the tag of an earlier version, even if the write would change nothing', async () => {
    const values = await fillSpace(space)
    const tag = await tagOf(row, values)
    const change = writes.find(
      write => write.operation.path === row.operation.path && write.operation.method !== 'DELETE',
    )!
    await send(change, values)
    const before = await stateOf(row, values)
    const response = await send(row, values, { 'If-Match': tag })
    expect(response.body.code).toBe('precondition_failed')
    expect(await stateOf(row, values)).toBe(before)
  })
})

it('of several concurrent writes with the same tag, only one takes effect', async () => {
  for (const row of writes.filter(({ operation }) => operation.method !== 'DELETE')) {
    const values = await fillSpace(space)
    const tag = await tagOf(row, values)
    const calls = Array.from({ length: 4 }, () => () => send(row, values, { 'If-Match': tag }))
    const statuses = (await concurrentlyInSpace(service, space.subdomain, calls)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
  }
})

describe('a record', () => {
  const put = (key: string, headers: Record<string, string>, body: object = { value: 1 }) =>
    space.api.send(`/data/${key}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  it('is not created by a PUT that has If-Match', async () => {
    for (const tag of ['*', '"x"']) {
      const { body } = await put('absent', { 'if-match': tag })
      expect(body).toMatchObject({ code: 'precondition_failed', detail: 'The resource does not exist.' })
    }
    expect((await space.api.get('/data/absent')).status).toBe(404)
  })

  it('is not replaced if it exists and the request has If-None-Match: *', async () => {
    expect((await put('new', { 'if-none-match': '*' })).status).toBe(200)
    expect((await put('new', { 'if-none-match': '*' }, { value: 2 })).body.code).toBe('precondition_failed')
    expect((await space.api.get('/data/new')).body).toMatchObject({ value: 1, version: 1 })
  })

  it('is replaced if its tag is not in If-None-Match', async () => {
    await put('excluded', {})
    const tag = (await space.api.get('/data/excluded')).headers.get('etag')!
    expect((await put('excluded', { 'if-none-match': `W/${tag}` })).status).toBe(412)
    expect((await put('excluded', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('gets a new tag when it is deleted and created again', async () => {
    await put('again', {})
    const tag = (await space.api.get('/data/again')).headers.get('etag')!
    await space.api.delete('/data/again')
    await put('again', {})
    expect((await put('again', { 'if-match': tag })).status).toBe(412)
  })

  it('is written only if both the tag and the version are current', async () => {
    await put('both', {})
    const tag = (await space.api.get('/data/both')).headers.get('etag')!
    expect((await put('both', { 'if-match': tag }, { value: 2, version: 7 })).body.code).toBe(
      'version_conflict',
    )
    expect((await put('both', { 'if-match': tag }, { value: 2, version: 1 })).status).toBe(200)
  })
})

describe('a read', () => {
  it.each(reads.filter(({ facts }) => facts.conditional!.length > 0))(
    'returns 304 without a body if the request has the current tag ($title)',
    async row => {
      const values = await fillSpace(space)
      const tag = await tagOf(row, values)
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const { status, text, headers } = await send(row, values, { 'If-None-Match': known })
        expect([status, text, headers.etag]).toEqual([304, '', tag])
        expect(headers['ratelimit-remaining']).toMatch(/^\d+$/)
        expect(headers['content-type']).toBeUndefined()
      }
      for (const other of ['"x"', tag.slice(1, -1), '']) {
        const { status } = await send(row, values, { 'If-None-Match': other })
        expect(status).toBe(200)
      }
    },
  )

  it('never returns 304 for a part or file, because the response has fields that the tag does not cover', async () => {
    for (const row of reads.filter(({ facts }) => facts.conditional!.length === 0))
      expect((await send(row, await fillSpace(space), { 'If-None-Match': '*' })).status).toBe(200)
  })
})

it('a missing page is reported before a wrong tag, and a wrong tag before a taken slug', async () => {
  const patch = (id: string, body: object, tag: string) =>
    space.api.send(`/pages/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': tag },
      body: JSON.stringify(body),
    })
  const { body } = await space.api.post('/pages', { slug: 'first', html: 'x' })
  await space.api.post('/pages', { slug: 'second', html: 'x' })
  expect((await patch('a'.repeat(16), { html: 'y' }, '*')).body.code).toBe('page_not_found')
  expect((await patch(String(body.id), { slug: 'second' }, '"x"')).body.code).toBe('precondition_failed')
  expect((await patch(String(body.id), { slug: 'second' }, '*')).body.code).toBe('slug_taken')
  expect((await patch(String(body.id), { slug: '' }, '"x"')).body.code).toBe('validation_failed')
})

it('listing pages ignores If-Match and If-None-Match', async () => {
  const headers = { 'if-match': '"x"', 'if-none-match': '*' }
  expect((await space.api.send('/pages', { headers })).status).toBe(200)
})

it.each(protocols)('a tool call ignores If-Match, protocol %s', async protocol => {
  await space.api.put('/data/by-tool', { value: 1 })
  const { result } = await toolClient(service, '/mcp', secret, protocol).send(
    'tools/call',
    { name: 'put_data', arguments: { key: 'by-tool', value: 2 } },
    { headers: { 'if-match': '"other"' } },
  )
  expect(result.isError).toBeFalsy()
  expect((await space.api.get('/data/by-tool')).body).toMatchObject({ value: 2 })
})
