import { describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { statusAndFields, statusesOf } from './support/responses.ts'
import { useSpacePerTest } from './support/space-per-test.ts'
import { ASTRAL, NOT_WHITE_SPACE, UNSTORABLE, WHITE_SPACE } from './support/texts.ts'

interface Page {
  id: string
  slug: string
  kind: string
  url: string
  created_at: string
  updated_at: string
  html?: string
}

const service = useTestService()
const space = useSpacePerTest(service)

const create = async (fields: object) =>
  (await space.api.post<Page>('/pages', { slug: 'page', html: 'page', ...fields })).body

const read = async ({ id }: { id: string }) => (await space.api.get<Page>(`/pages/${id}`)).body

describe('a new page', () => {
  it('is returned without its body on creation, and with it when read', async () => {
    const { status, body } = await space.api.post<Page>('/pages', {
      slug: 'about-us',
      kind: 'static',
      html: '<p>Hi',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[2-9a-z]{16}$/),
      slug: 'about-us',
      kind: 'static',
      url: `http://${space.subdomain}.sites.localhost/about-us`,
      created_at: body.created_at,
      updated_at: body.created_at,
    })
    expect(await read(body)).toEqual({ ...body, html: '<p>Hi' })
  })

  it('is scripted by default', async () => {
    expect((await create({})).kind).toBe('scripted')
  })

  it.each([
    ['slug', { html: 'x' }],
    ['html', { slug: 'x' }],
    ['slug', { slug: null, html: 'x' }],
    ['slug', { slug: 1, html: 'x' }],
    ['slug', { slug: ['x'], html: 'x' }],
    ['html', { slug: 'x', html: null }],
    ['html', { slug: 'x', html: {} }],
    ['kind', { slug: 'x', html: 'x', kind: null }],
    ['kind', { slug: 'x', html: 'x', kind: 'Static' }],
    ['kind', { slug: 'x', html: 'x', kind: ' static' }],
    ['kind', { slug: 'x', html: 'x', kind: 'constructor' }],
    ['kind', { slug: 'x', html: 'x', kind: ['static'] }],
    ['url', { slug: 'x', html: 'x', url: 'https://x.example' }],
  ])('is rejected with an error for %s: %j', async (field, body) => {
    expect(statusAndFields(await space.api.post('/pages', body))).toEqual([422, field])
    expect((await space.api.get('/pages')).body.data).toEqual([])
  })

  it('is rejected with all its errors', async () => {
    expect(statusAndFields(await space.api.post('/pages', {}))).toEqual([422, 'html', 'slug'])
    const response = await space.api.post('/pages', { slug: '-', kind: 'x', html: ' ', more: 1 })
    expect(statusAndFields(response)).toEqual([422, 'html', 'kind', 'more', 'slug'])
  })

  it('is rejected if it has the slug of an existing page, and does not change that page', async () => {
    const first = await create({ html: 'first' })
    const response = await space.api.post('/pages', { slug: ' page ', kind: 'static', html: 'second' })
    expect(response.body).toMatchObject({
      status: 409,
      code: 'slug_taken',
      detail: `The page ${first.id} has this slug.`,
    })
    expect(await read(first)).toEqual({ ...first, html: 'first' })
    expect((await space.api.get('/pages')).body.data).toHaveLength(1)
  })

  it('is created only once by concurrent requests with the same slug', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => space.api.post('/pages', { slug: 'one', html: 'x' })),
    )
    expect(statusesOf(responses)).toEqual([201, ...Array(11).fill(409)])
  })

  it('can have the slug of a page in another space', async () => {
    await create({})
    const other = await service.createSpace()
    expect((await other.api.post('/pages', { slug: 'page', html: 'x' })).status).toBe(201)
  })
})

describe('a slug', () => {
  it.each(['a', '0', 'a-b', 'a--b', '0-9', 'index', 'a'.repeat(60), `a${'-'.repeat(58)}b`, 'article', 'www'])(
    'can be %s',
    async slug => {
      expect((await create({ slug })).slug).toBe(slug)
    },
  )

  it.each([
    '',
    ' ',
    '-',
    '-a',
    'a-',
    'A',
    'é',
    'a_b',
    'a.b',
    'a/b',
    'a b',
    'a\nb',
    '_',
    '/a',
    'a'.repeat(61),
    ASTRAL,
    'ａ',
    'a\u200b',
    'a\u0000',
    '\ud800',
    'articles',
    ' articles\n',
  ])('cannot be %j', async slug => {
    expect(statusAndFields(await space.api.post('/pages', { slug, html: 'x' }))).toEqual([422, 'slug'])
    const page = await create({})
    expect(statusAndFields(await space.api.patch(`/pages/${page.id}`, { slug }))).toEqual([422, 'slug'])
  })

  it('is trimmed of all white space', async () => {
    expect((await create({ slug: `${WHITE_SPACE}a-b${WHITE_SPACE}` })).slug).toBe('a-b')
    expect((await create({ slug: ` ${'a'.repeat(60)} ` })).slug).toBe('a'.repeat(60))
  })

  it('is rejected if it has a million characters', async () => {
    expect(
      statusAndFields(await space.api.post('/pages', { slug: 'a'.repeat(1_000_000), html: 'x' })),
    ).toEqual([422, 'slug'])
  })
})

describe('a body', () => {
  it('is kept exactly, except for surrounding white space', async () => {
    const html = `<p>\r\n\t${NOT_WHITE_SPACE}\u2028 é e\u0301 ${ASTRAL} \uffff {{ not liquid %} '" \\u0000 & \u202e</p>`
    expect((await read(await create({ html: WHITE_SPACE + html + WHITE_SPACE }))).html).toBe(html)
  })

  it.each(NOT_WHITE_SPACE.split(''))('can be the single character %j', async html => {
    expect((await read(await create({ html }))).html).toBe(html)
  })

  it.each(['', ' ', WHITE_SPACE])('cannot be blank: %j', async html => {
    expect(statusAndFields(await space.api.post('/pages', { slug: 'x', html }))).toEqual([422, 'html'])
    const page = await create({})
    expect(statusAndFields(await space.api.patch(`/pages/${page.id}`, { html }))).toEqual([422, 'html'])
  })

  it.each(UNSTORABLE)('cannot contain %j', async html => {
    expect(statusAndFields(await space.api.post('/pages', { slug: 'x', html }))).toEqual([422, 'html'])
  })

  it('has at most 262144 code points, counted after trimming', async () => {
    const most = 'é'.repeat(262_144)
    expect((await read(await create({ slug: 'a', html: `  ${most}\n` }))).html).toBe(most)
    const astral = ASTRAL.repeat(200_000) + 'a'.repeat(62_144)
    expect((await read(await create({ slug: 'b', html: astral }))).html).toBe(astral)
    for (const html of [`${most}a`, `${astral}a`, `${'a'.repeat(262_143)}${ASTRAL}a`])
      expect(statusAndFields(await space.api.post('/pages', { slug: 'x', html }))).toEqual([422, 'html'])
  })

  it('is stored even when it is invalid Liquid', async () => {
    for (const [index, html] of ['{% if', '{{', '{% endfor %}', '{% unknown %}', "{% render 'x"].entries())
      expect((await read(await create({ slug: `s${index}`, html }))).html).toBe(html)
  })
})

describe('the list of pages', () => {
  it('is complete, without bodies, ordered by the code points of the slug', async () => {
    const slugs = ['b', 'aa', 'a1', 'a-b', 'a', '0', 'a--b', '9z', 'z', 'ab', 'a-']
    for (const slug of slugs.filter(slug => !slug.endsWith('-'))) await create({ slug })
    const { status, body } = await space.api.get<{ data: Page[] }>('/pages')
    expect(status).toBe(200)
    expect(body.data.map(({ slug }) => slug)).toEqual([
      '0',
      '9z',
      'a',
      'a--b',
      'a-b',
      'a1',
      'aa',
      'ab',
      'b',
      'z',
    ])
    expect(Object.keys(body)).toEqual(['data'])
    for (const page of body.data)
      expect(Object.keys(page).toSorted()).toEqual(['created_at', 'id', 'kind', 'slug', 'updated_at', 'url'])
  })
})

describe('a PATCH', () => {
  it.each([
    ['slug', { slug: 'other' }],
    ['kind', { kind: 'static' }],
    ['html', { html: 'other' }],
    ['everything', { slug: 'other', kind: 'static', html: 'other' }],
  ])('changes only the fields in the request and raises updated_at: %s', async (_, change) => {
    const page = await create({})
    const { status, body } = await space.api.patch<Page>(`/pages/${page.id}`, change)
    expect(status).toBe(200)
    const after = await read(page)
    const { updated_at: before, url: _url, ...rest } = page
    expect(after).toMatchObject({ ...rest, html: 'page', ...change })
    expect(after.url).toBe(`http://${space.subdomain}.sites.localhost/${after.slug}`)
    expect(after.updated_at > before).toBe(true)
    expect({ ...body, html: after.html }).toEqual(after)
  })

  it('keeps updated_at if it changes nothing', async () => {
    const page = await create({})
    const same = { slug: ' page', kind: 'scripted', html: 'page\n' }
    const { status, body } = await space.api.patch<Page>(`/pages/${page.id}`, same)
    expect(status).toBe(200)
    expect(body).toEqual(page)
  })

  it('raises updated_at each time, even in quick succession', async () => {
    const page = await create({})
    const times = [page.updated_at]
    for (let i = 0; i < 10; i++)
      times.push((await space.api.patch<Page>(`/pages/${page.id}`, { html: `change ${i}` })).body.updated_at)
    expect(new Set(times).size).toBe(times.length)
    expect(times).toEqual(times.toSorted())
    expect((await read(page)).created_at).toBe(page.created_at)
  })

  it('is rejected if it has the slug of another page, and changes neither page', async () => {
    const [one, two] = [await create({ slug: 'one' }), await create({ slug: 'two' })]
    const response = await space.api.patch(`/pages/${two.id}`, {
      slug: 'one',
      kind: 'static',
      html: 'changed',
    })
    expect(response.body).toMatchObject({
      status: 409,
      code: 'slug_taken',
      detail: `The page ${one.id} has this slug.`,
    })
    expect(await read(one)).toEqual({ ...one, html: 'page' })
    expect(await read(two)).toEqual({ ...two, html: 'page' })
  })

  it.each([
    ['$', {}],
    ['slug', { slug: null }],
    ['kind', { kind: null }],
    ['html', { html: null }],
    ['id', { html: 'x', id: 'a'.repeat(16) }],
    ['page_id', { html: 'x', page_id: 'a'.repeat(16) }],
  ])('is rejected with an error for %s: %j', async (field, change) => {
    const page = await create({})
    expect(statusAndFields(await space.api.patch(`/pages/${page.id}`, change))).toEqual([422, field])
    expect(await read(page)).toEqual({ ...page, html: 'page' })
  })

  it('with only unknown fields is rejected with an error for the body and an error for each field', async () => {
    const page = await create({})
    expect(statusAndFields(await space.api.patch(`/pages/${page.id}`, { nope: 1 }))).toEqual([
      422,
      '$',
      'nope',
    ])
  })

  it('frees the old slug if it changes the slug', async () => {
    const page = await create({ slug: 'old' })
    await space.api.patch(`/pages/${page.id}`, { slug: 'new' })
    expect((await space.api.post('/pages', { slug: 'old', html: 'x' })).status).toBe(201)
  })
})

describe('a deleted page', () => {
  it('returns 404, and its slug can be used again', async () => {
    const page = await create({})
    const { status, headers } = await space.api.delete(`/pages/${page.id}`)
    expect(status).toBe(204)
    expect(headers.get('content-length')).toBeNull()
    for (const response of [
      await space.api.get(`/pages/${page.id}`),
      await space.api.delete(`/pages/${page.id}`),
      await space.api.patch(`/pages/${page.id}`, { html: 'x' }),
    ])
      expect(response.body).toMatchObject({ status: 404, code: 'page_not_found' })
    expect((await create({})).id).not.toBe(page.id)
  })
})
