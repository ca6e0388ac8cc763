import { expect, test } from 'vitest'
import { creationLimits } from '../../routers/api/rules.ts'
import { useTestService } from '../support/test-service.ts'

const limits = {
  ...creationLimits,
  spaces: 2,
  pages: 2,
  parts: 2,
  files: 2,
  participants: 2,
  posts: 2,
  drafts: 2,
}
const service = useTestService({ creationLimits: limits })
const slower = useTestService({
  creationLimits: { ...creationLimits, postsPerMinute: 3, commentsPerMinute: 3 },
})

/** The path and body of a request that creates a resource. */
type Creation = [path: string, body: object]

test.each([
  ['pages', (n: number): Creation => ['/pages', { slug: `page-${n}`, html: 'x' }]],
  ['parts', (n: number): Creation => ['/parts', { name: `part-${n}`, html: 'x' }]],
  ['files', (n: number): Creation => ['/files', { name: `${n}.txt`, content: 'x', encoding: 'text' }]],
])(
  'a space can have only a limited number of %s, even if they are created concurrently',
  async (_name, nth) => {
    const { api } = await service.createSpace()
    const responses = await Promise.all([1, 2, 3, 4].map(n => api.post(...nth(n))))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
    const refused = responses.find(({ status }) => status === 409)!
    expect(refused.body).toMatchObject({
      code: 'limit_reached',
      detail: expect.stringContaining('at most 2'),
    })
    const [path] = nth(1)
    expect((await api.get<{ data: { id: string }[] }>(path)).body.data).toHaveLength(2)
  },
)

test('at the limit of pages, a page can be created after another one is deleted', async () => {
  const { api } = await service.createSpace()
  const [first] = await Promise.all(['a-1', 'a-2'].map(slug => api.post('/pages', { slug, html: 'x' })))
  await api.delete(`/pages/${String(first!.body.id)}`)
  expect((await api.post('/pages', { slug: 'a-3', html: 'x' })).status).toBe(201)
})

test('a taken slug is reported before an exceeded limit', async () => {
  const { api } = await service.createSpace()
  for (const slug of ['one', 'two']) await api.post('/pages', { slug, html: 'x' })
  expect((await api.post('/pages', { slug: 'one', html: 'x' })).body.code).toBe('slug_taken')
})

test('an account can create only a limited number of spaces, even concurrently', async () => {
  const person = await service.signUp()
  const create = (subdomain: string) => person.spaces.create({ subdomain, name: subdomain })
  const results = await Promise.allSettled(['lim-one', 'lim-two', 'lim-three'].map(create))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  await expect(create('lim-four')).rejects.toMatchObject({ problem: 'limit_reached' })
})

test('an account can have only a limited number of posts and of drafts', async () => {
  const person = await service.signUp()
  const post = () => person.api.post('/posts', { html: '<p>x</p>' })
  expect([(await post()).status, (await post()).status]).toEqual([201, 201])
  expect((await post()).body.code).toBe('limit_reached')
  const draft = () => person.writing.createDraft({ format: 'markdown', markdown: 'x' })
  const { id } = await draft()
  await draft()
  await expect(draft()).rejects.toMatchObject({ problem: 'limit_reached' })
  await expect(person.writing.publish({ post_id: id })).rejects.toMatchObject({ problem: 'limit_reached' })
})

test('at the limit of posts, publishing an already published post succeeds and changes nothing', async () => {
  const person = await service.signUp()
  const { body } = await person.api.post('/posts', { html: '<p>x</p>' })
  await person.api.post('/posts', { html: '<p>x</p>' })
  const post_id = String(body.id)
  expect(await person.writing.publish({ post_id })).toMatchObject({
    published: true,
    updated_at: body.updated_at,
  })
})

test('a space can have only a limited number of participants', async () => {
  const { join } = await service.createSpace()
  await join()
  await expect(join()).rejects.toMatchObject({ problem: 'limit_reached' })
})

test('an account’s new posts and comments per minute are counted across all its tokens', async () => {
  const person = await slower.signUp()
  const other = await person.apiWith('posts', 'comments')
  const statuses = []
  for (const api of [person.api, other, person.api, other])
    statuses.push(await api.post('/posts', { html: '<p>x</p>' }))
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201, 429])
  const comments = []
  for (const api of [person.api, other, person.api, other])
    comments.push((await api.post(`/posts/${String(statuses[0]!.body.id)}/comments`, { body: 'hi' })).status)
  expect(comments).toEqual([201, 201, 201, 429])
  expect(Number(statuses[3]!.headers.get('retry-after'))).toBeGreaterThan(0)
})
