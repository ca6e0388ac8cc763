import { beforeAll, describe, expect, it, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { bodyOf, pathOf, type Row, spaceOperations, userOperations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let space: TestSpace
let person: Person
let secrets: { space: string; user: string }
beforeAll(async () => {
  space = await service.createSpace()
  person = await service.signUp()
  secrets = { space: await space.key(...SPACE_SCOPES), user: await person.token(...USER_SCOPES) }
})

const send = (
  { operation, ...row }: Row,
  values: PathValues,
  headers: Record<string, string>,
  body?: object,
) =>
  request(service.root, operation.method, pathOf({ operation, ...row }, values), {
    headers: {
      Authorization: `Bearer ${secrets[operation.meta.api!]}`,
      ...(operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(operation.takesBody ? { body: JSON.stringify(body ?? bodyOf({ operation, ...row })) } : {}),
  })

const fill = ({ operation }: Row) => (operation.meta.api === 'space' ? fillSpace(space) : fillAccount(person))

const operations = [...spaceOperations, ...userOperations]
const writes = operations.filter(({ operation }) => operation.method !== 'GET')

describe.each(writes)('$title', row => {
  it.each([
    ['If-Match', '"stale"'],
    ['If-None-Match', '*'],
  ])('does not ignore %s: %s', async (name, value) => {
    const values = await fill(row)
    const refused = await send(row, values, { [name]: value })
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed'])
    // Nothing was written, so the same write still succeeds without the condition.
    expect((await send(row, values, {})).status).toBe(row.facts.status)
  })
})

const named = (name: string) => operations.find(({ operation }) => operation.name === name)!

describe.each([
  ['posts.get', 'posts.update', 'posts.delete'],
  ['me.get', 'me.update', 'me.removeIcon'],
  ['me.get', 'me.setIcon', 'me.removeIcon'],
])('the tag that %s returns', (read, update, remove) => {
  test(`changes with ${update}, which returns the next one`, async () => {
    const values = await fillAccount(person)
    const first = await send(named(read), values, {})
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^"[\w-]+"$/)
    const body = update === 'me.update' ? { bio: `Bio ${Math.random()}` } : undefined
    const changed = await send(named(update), values, { 'If-Match': tag }, body)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(tag)
    expect((await send(named(read), values, {})).headers.etag).toBe(changed.headers.etag)
    expect((await send(named(update), values, { 'If-Match': tag }, body)).status).toBe(412)
    expect((await send(named(remove), values, { 'If-Match': tag })).status).toBe(412)
    expect((await send(named(remove), values, { 'If-Match': String(changed.headers.etag) })).status).toBe(204)
  })
})

test('a comment is changed and deleted only with its current tag', async () => {
  const values = await fillAccount(person)
  const created = await send(named('comments.create'), values, {})
  const comment = { ...values, comment_id: (created.body as { id: string }).id }
  const changed = await send(named('comments.update'), comment, { 'If-Match': String(created.headers.etag) })
  expect(changed.status).toBe(200)
  expect(changed.headers.etag).not.toBe(created.headers.etag)
  for (const name of ['comments.update', 'comments.delete'])
    expect((await send(named(name), comment, { 'If-Match': String(created.headers.etag) })).status).toBe(412)
  const tag = { 'If-Match': String(changed.headers.etag) }
  expect((await send(named('comments.delete'), comment, tag)).status).toBe(204)
  // Existence comes before the condition.
  expect((await send(named('comments.delete'), comment, tag)).status).toBe(404)
})

test('a change of an account to what it is already needs the current tag too', async () => {
  const { status } = await send(named('me.update'), await fillAccount(person), { 'If-Match': '"stale"' }, {})
  expect(status).toBe(412)
})

test('a 201 names the address of what it created, if it can be read there', async () => {
  const located: string[] = []
  for (const row of writes.filter(({ facts }) => facts.status === 201)) {
    const created = await send(row, await fill(row), {})
    if (created.headers.location === undefined) continue
    located.push(row.operation.name)
    const { pathname } = new URL(created.headers.location)
    expect(created.headers.location).toBe(`${service.core.addresses.apiRoot}${pathname}`)
    const read = await request(service.root, 'GET', pathname, {
      headers: { Authorization: `Bearer ${secrets[row.operation.meta.api!]}` },
    })
    expect(read.body).toMatchObject(created.body)
    expect(read.headers.etag).toBe(created.headers.etag)
  }
  expect(located.toSorted()).toEqual(['files.create', 'pages.create', 'parts.create', 'posts.create'])
})

describe('X-Template-Error', () => {
  const HTML = [
    ["{% render 'present' %}{% if %}", 'syntax'],
    ["{% render 'present' %}{{ \"open }}", 'syntax'],
    // A body without such a tag is not parsed when it is saved.
    ['{% if %}', null],
    ["{% render 'nowhere' %}", 'missing_part'],
    ["{% layout 'nowhere' %}{% block content %}x{% endblock %}", 'missing_part'],
    ["{% render 'present' %}", null],
    ['{% render name %}', null],
    ['<p>{{ space.name }}</p>', null],
    ['plain', null],
  ] as const

  it.each(['/pages', '/parts'])('says what is wrong with a body that is saved at %s', async path => {
    const { api } = await service.createSpace()
    await api.post('/parts', { name: 'present', html: 'x' })
    const name = path === '/pages' ? 'slug' : 'name'
    const { body } = await api.post<{ id: string }>(path, { [name]: 'changed', html: 'x' })
    for (const [index, [html, error]] of HTML.entries()) {
      const created = await api.post(path, { [name]: `new-${index}`, html })
      expect([html, created.status, created.headers.get('x-template-error')]).toEqual([html, 201, error])
      const changed = await api.patch(`${path}/${body.id}`, { html })
      expect([html, changed.status, changed.headers.get('x-template-error')]).toEqual([html, 200, error])
    }
    const renamed = await api.patch(`${path}/${body.id}`, { [name]: 'renamed' })
    expect(renamed.headers.get('x-template-error')).toBeNull()
  })
})
