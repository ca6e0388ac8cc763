import { beforeAll, expect, it } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let space: TestSpace

beforeAll(async () => {
  space = await service.createSpace('garden')
})

const detailOf = async (init: RequestInit, path = '/pages') => {
  const { status, body } = await space.api.send(path, { method: 'POST', ...init })
  return [status, body.detail]
}

const json = { 'content-type': 'application/json' }

it.each([
  ['{"slug": "x",\n  "html": }', 'The body stops being JSON in line 2, column 11.'],
  ['{"slug": "x", }', 'The body stops being JSON in line 1, column 15.'],
  ["{'slug': 'x'}", 'The body stops being JSON in line 1, column 2.'],
  ['{"slug": "x"}\r\n\r\n{}', 'The body stops being JSON in line 3, column 1.'],
  ['{"slug": "ä😀" 1}', 'The body stops being JSON in line 1, column 16.'],
  ['{"a": 1} // done', 'The body stops being JSON in line 1, column 10.'],
  ['{"slug": "x",\n"html": ["y"\n', 'The body ends in line 3, column 1, before its JSON is complete.'],
  [' \n', 'The body is empty.'],
  // A long body is not searched.
  [`{"slug": "${'x'.repeat(70_000)}",}`, 'The body cannot be parsed as JSON.'],
  ['['.repeat(50_000), 'The body cannot be parsed as JSON.'],
])('the body %j is refused with the place of the error', async (body, detail) => {
  expect(await detailOf({ body, headers: json })).toEqual([400, detail])
})

it.each([
  [{ 'content-type': 'text/plain' }, 'The content type is "text/plain".'],
  [
    { 'content-type': 'application/json; charset=latin1' },
    'The content type is "application/json; charset=latin1".',
  ],
  [{ 'content-type': 'x'.repeat(200) }, `The content type is "${'x'.repeat(80)}".`],
])('%j is repeated in the refusal', async (headers, start) => {
  const detail = `${start} Send \`Content-Type: application/json\`, in UTF-8.`
  expect(await detailOf({ body: '{}', headers })).toEqual([415, detail])
})

it('a body without a type, and a compressed one, are refused with the reason', async () => {
  // A string would get a type.
  expect(await detailOf({ body: new Blob(['{}']) })).toEqual([
    415,
    'The request has no `Content-Type`. Send `Content-Type: application/json`, in UTF-8.',
  ])
  expect(await detailOf({ body: '{}', headers: { ...json, 'content-encoding': 'gzip' } })).toEqual([
    415,
    'The body is compressed. Send it uncompressed.',
  ])
})

it('a slash at the end of a path is named, if the path is known without it', async () => {
  const detail = 'Send the path without the slash at its end.'
  expect(await detailOf({ method: 'GET' }, '/pages/')).toEqual([404, detail])
  expect(await detailOf({ method: 'GET' }, '/pages/?x=/')).toEqual([404, detail])
  for (const path of ['/pages//', '/nothing/', '/nothing'])
    expect(await detailOf({ method: 'GET' }, path)).toEqual([404, undefined])
})

it('a key of another space is told which space it is for', async () => {
  const { api } = space
  const { status, body } = await service.rest(undefined, '/v1/spaces').send('/other', {
    headers: { authorization: `Bearer ${await space.key('pages')}` },
  })
  expect([status, body.code, body.detail]).toEqual([
    403,
    'space_mismatch',
    'This key is for the space `garden`.',
  ])
  expect((await api.get('')).status).toBe(200)
})
