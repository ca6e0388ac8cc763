import { describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { statusAndFields, statusesOf } from './support/responses.ts'
import { useSpacePerTest } from './support/space-per-test.ts'
import { ASTRAL, NOT_WHITE_SPACE, UNSTORABLE, WHITE_SPACE } from './support/texts.ts'

interface Part {
  id: string
  name: string
  created_at: string
  updated_at: string
  html: string
  used_by: { pages: { id: string; slug: string }[]; parts: { id: string; name: string }[] }
}

const service = useTestService()
const space = useSpacePerTest(service)

const create = async (name: string, html = 'part') =>
  (await space.api.post<Part>('/parts', { name, html })).body
const read = async ({ id }: { id: string }) => (await space.api.get<Part>(`/parts/${id}`)).body

describe('a new part', () => {
  it('is returned without its body on creation, and with its body and used_by when read', async () => {
    const { status, body } = await space.api.post<Part>('/parts', { name: 'main-nav', html: '<nav>' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[2-9a-z]{16}$/),
      name: 'main-nav',
      created_at: body.created_at,
      updated_at: body.created_at,
    })
    expect(await read(body)).toEqual({ ...body, html: '<nav>', used_by: { pages: [], parts: [] } })
  })

  it.each<[field: string, body: object]>([
    ['name', { html: 'x' }],
    ['html', { name: 'x' }],
    ['name', { name: null, html: 'x' }],
    ['name', { name: 7, html: 'x' }],
    ['html', { name: 'x', html: 7 }],
    ['html', { name: 'x', html: WHITE_SPACE }],
    ['html', { name: 'x', html: 'a'.repeat(262_145) }],
    ['slug', { name: 'x', html: 'x', slug: 'x' }],
    ...UNSTORABLE.map(html => ['html', { name: 'x', html }] as [string, object]),
  ])('is rejected with an error for %s', async (field, body) => {
    expect(statusAndFields(await space.api.post('/parts', body))).toEqual([422, field])
  })

  it('is rejected if it has the name of an existing part, and does not change that part', async () => {
    const first = await create('nav', 'first')
    expect((await space.api.post('/parts', { name: 'nav', html: 'second' })).body).toMatchObject({
      status: 409,
      code: 'part_name_taken',
    })
    expect(await read(first)).toMatchObject({ ...first, html: 'first' })
  })

  it('is created only once by concurrent requests with the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => space.api.post('/parts', { name: 'one', html: 'x' })),
    )
    expect(statusesOf(responses)).toEqual([201, ...Array(11).fill(409)])
  })

  it('keeps its body exactly, except for surrounding white space', async () => {
    const html = `<p>\r\n${NOT_WHITE_SPACE} ${ASTRAL} {% if`
    expect((await read(await create('a', WHITE_SPACE + html + WHITE_SPACE))).html).toBe(html)
  })
})

describe('a part name', () => {
  it.each(['a', '0', 'a-b', 'a_b', 'a__b', 'a-_b', '0_9', 'a'.repeat(60), `a${'_'.repeat(58)}b`, 'articles'])(
    'can be %s',
    async name => {
      expect((await create(name)).name).toBe(name)
    },
  )

  it.each([
    '',
    ' ',
    '-a',
    '_a',
    'a_',
    'a-',
    'A',
    'a.b',
    'a/b',
    '../a',
    'a.html',
    'a b',
    'é',
    'a'.repeat(61),
    ASTRAL,
    'a\u0000',
    '\ud800',
    ' a',
    'a\n',
  ])('cannot be %j', async name => {
    expect(statusAndFields(await space.api.post('/parts', { name, html: 'x' }))).toEqual([422, 'name'])
    const part = await create('part')
    expect(statusAndFields(await space.api.patch(`/parts/${part.id}`, { name }))).toEqual([422, 'name'])
  })
})

it('the list of parts is complete, without bodies, and sorted by the code points of the names', async () => {
  for (const name of ['b', 'a_b', 'aa', 'a1', 'a-b', 'a', '0', 'ab']) await create(name)
  const { body } = await space.api.get<{ data: Part[] }>('/parts')
  expect(body.data.map(({ name }) => name)).toEqual(['0', 'a', 'a-b', 'a1', 'a_b', 'aa', 'ab', 'b'])
  for (const part of body.data)
    expect(Object.keys(part).toSorted()).toEqual(['created_at', 'id', 'name', 'updated_at'])
})

describe('a PATCH of a part', () => {
  it.each([{ name: 'other' }, { html: 'other' }, { name: 'other', html: 'other' }])(
    'changes only the fields in the request and raises updated_at: %j',
    async change => {
      const part = await create('part')
      const { status, body } = await space.api.patch<Part>(`/parts/${part.id}`, change)
      expect(status).toBe(200)
      const { updated_at: before, ...rest } = part
      expect(await read(part)).toMatchObject({
        ...rest,
        html: 'part',
        ...change,
        updated_at: body.updated_at,
      })
      expect(body.updated_at > before).toBe(true)
      expect(body).not.toHaveProperty('html')
    },
  )

  it('keeps updated_at if it changes nothing', async () => {
    const part = await create('part')
    const { status, body } = await space.api.patch(`/parts/${part.id}`, { name: 'part', html: ' part ' })
    expect(status).toBe(200)
    expect(body).toEqual(part)
  })

  it('is rejected if another part already has the new name; both parts stay unchanged', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const response = await space.api.patch(`/parts/${two.id}`, { name: 'one', html: 'changed' })
    expect(response.body).toMatchObject({ status: 409, code: 'part_name_taken' })
    expect(await read(one)).toMatchObject({ ...one, html: 'part' })
    expect(await read(two)).toMatchObject({ ...two, html: 'part' })
  })

  it.each([
    ['$', {}],
    ['name', { name: null }],
    ['html', { html: null }],
    ['html', { html: '' }],
    ['part_id', { html: 'x', part_id: 'a'.repeat(16) }],
  ])('is rejected with an error for %s: %j', async (field, change) => {
    const part = await create('part')
    expect(statusAndFields(await space.api.patch(`/parts/${part.id}`, change))).toEqual([422, field])
  })
})

it('a deleted part returns 404, and its name can be used again', async () => {
  const part = await create('part')
  expect((await space.api.delete(`/parts/${part.id}`)).status).toBe(204)
  expect((await space.api.get(`/parts/${part.id}`)).body.code).toBe('part_not_found')
  expect((await space.api.delete(`/parts/${part.id}`)).body.code).toBe('part_not_found')
  expect((await create('part')).id).not.toBe(part.id)
})

describe('used_by', () => {
  it.each([
    ["{% render 'nav' %}", true],
    ['{% render "nav" %}', true],
    ["{% include 'nav' %}", true],
    ["{% layout 'nav' %}{% block content %}x{% endblock %}", true],
    ["{%- render 'nav' -%}", true],
    ["{%render 'nav'%}", true],
    ["{% render 'nav', a: 1, b: pages %}", true],
    ["{% render 'nav' with space as s %}", true],
    ["{% render 'nav' for pages as p %}", true],
    ["{% if false %}{% render 'nav' %}{% endif %}", true],
    ["{% for p in pages %}{% include 'nav' %}{% endfor %}", true],
    ["{% liquid\n  render 'nav'\n%}", true],
    ["broken {% if %}{% render 'nav' %}", true],
    ['broken {{ a | }}{% include "nav" %}', true],
    ["{% assign n = 'nav' %}{% render n %}", false],
    ['{% include nav %}', false],
    ["{% comment %}{% render 'nav' %}{% endcomment %}", false],
    ["{% raw %}{% render 'nav' %}{% endraw %}", false],
    ["{% # render 'nav' %}", false],
    ["<p>render 'nav'</p>", false],
    ["{% render 'nav2' %}", false],
    ["{% render 'Nav' %}", false],
    ["{% assign render = 'nav' %}", false],
    ["broken {% if %}{% case 'nav' %}{% when 'render' %}", false],
    ["{{ 'nav' }}", false],
  ])('lists a page and a part whose body is %s: %s', async (html, isUse) => {
    const nav = await create('nav')
    const page = (await space.api.post<Part>('/pages', { slug: 'page', html })).body
    const part = await create('part', html)
    expect((await read(nav)).used_by).toEqual({
      pages: isUse ? [{ id: page.id, slug: 'page' }] : [],
      parts: isUse ? [{ id: part.id, name: 'part' }] : [],
    })
  })

  it('is sorted by slug and by name, without duplicates', async () => {
    const nav = await create('nav')
    const html = "{% render 'nav' %}{% include 'nav' %}"
    for (const name of ['b', 'aa', 'a-b', 'a1']) {
      await create(name, html)
      await space.api.post('/pages', { slug: name, html })
    }
    const { used_by } = await read(nav)
    expect(used_by.pages.map(({ slug }) => slug)).toEqual(['a-b', 'a1', 'aa', 'b'])
    expect(used_by.parts.map(({ name }) => name)).toEqual(['a-b', 'a1', 'aa', 'b'])
  })

  it('is up to date after changes of bodies and names, and after deletions', async () => {
    const page = (await space.api.post<Part>('/pages', { slug: 'page', html: "{% render 'nav' %}" })).body
    const nav = await create('nav')
    const uses = async () => (await read(nav)).used_by.pages.length
    expect(await uses()).toBe(1)
    await space.api.patch(`/pages/${page.id}`, { slug: 'other' })
    expect(await uses()).toBe(1)
    await space.api.patch(`/parts/${nav.id}`, { name: 'menu' })
    expect(await uses()).toBe(0)
    await space.api.patch(`/pages/${page.id}`, { html: "{% include 'menu' %}" })
    expect(await uses()).toBe(1)
    await space.api.delete(`/pages/${page.id}`)
    expect(await uses()).toBe(0)
  })

  it('lists only pages and parts of the same space', async () => {
    const nav = await create('nav')
    const other = await service.createSpace()
    await other.api.post('/pages', { slug: 'page', html: "{% render 'nav' %}" })
    expect((await read(nav)).used_by).toEqual({ pages: [], parts: [] })
  })
})

describe('the total length of all parts', () => {
  const most = 'é'.repeat(262_144)

  it('can be 1048576 code points, and no more', async () => {
    for (const name of ['a', 'b', 'c']) await create(name, most)
    const last = await create('d', most.slice(1))
    const over = await space.api.post('/parts', { name: 'e', html: 'xy' })
    expect(over.body).toMatchObject({ status: 409, code: 'parts_quota_exceeded' })
    expect((await space.api.post('/parts', { name: 'e', html: 'x' })).status).toBe(201)
    const change = await space.api.patch(`/parts/${last.id}`, { html: most })
    expect(change.body).toMatchObject({ status: 409, code: 'parts_quota_exceeded' })
    expect((await read(last)).html).toBe(most.slice(1))
    expect((await space.api.patch(`/parts/${last.id}`, { name: 'renamed' })).status).toBe(200)
    expect((await space.api.patch(`/parts/${last.id}`, { html: 'short' })).status).toBe(200)
    expect((await space.api.post('/parts', { name: 'f', html: 'x'.repeat(1000) })).status).toBe(201)
  })

  it('is counted in code points', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      expect((await space.api.post('/parts', { name, html: ASTRAL.repeat(200_000) })).status).toBe(201)
    expect((await space.api.post('/parts', { name: 'f', html: ASTRAL.repeat(48_577) })).status).toBe(409)
    expect((await space.api.post('/parts', { name: 'f', html: ASTRAL.repeat(48_576) })).status).toBe(201)
  })

  it('stays within the limit during concurrent writes', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => space.api.post('/parts', { name: `p${index}`, html: most })),
    )
    expect(statusesOf(responses)).toEqual([...Array(4).fill(201), ...Array(4).fill(409)])
    expect((await space.api.get('/parts')).body.data).toHaveLength(4)
  })
})
