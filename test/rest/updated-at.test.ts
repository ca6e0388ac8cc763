import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'

interface Resource {
  id: string
  updated_at: string
}

/** A new resource, and a function that changes it. With another number `n`, the function makes another change. */
interface Changeable {
  created: Resource
  change: (n: number) => Promise<{ body: Resource }>
}

const NOW = Date.parse('2030-01-01T12:00:00Z')

const service = useTestService()
let space: RestClient
let account: RestClient

beforeEach(async () => {
  const person = await service.signUp()
  account = person.api
  space = (await service.createSpace(undefined, person)).api
})

/** Creates a resource whose changes are sent to its own address. */
const created = async (
  api: RestClient,
  list: string,
  body: object,
  path: string,
  changed: (n: number) => object,
): Promise<Changeable> => {
  const { body: resource } = await api.post<Resource>(list, body)
  return { created: resource, change: n => api.patch<Resource>(`${path}/${resource.id}`, changed(n)) }
}

const createPost = () => created(account, '/posts', { html: 'x' }, '/posts', n => ({ html: `${n}` }))

describe.each<[string, () => Promise<Changeable>]>([
  ['page', () => created(space, '/pages', { slug: 'page', html: 'x' }, '/pages', n => ({ html: `${n}` }))],
  ['part', () => created(space, '/parts', { name: 'part', html: 'x' }, '/parts', n => ({ html: `${n}` }))],
  [
    'file',
    () =>
      created(space, '/files', { name: 'a.txt', content: 'x', encoding: 'text' }, '/files', n => ({
        name: `${n}.txt`,
      })),
  ],
  [
    'record',
    async () => {
      const change = (n: number) => space.put<Resource>('/data/record', { value: n })
      return { created: (await change(0)).body, change }
    },
  ],
  ['post', createPost],
  [
    'comment',
    async () => {
      const { created: post } = await createPost()
      return created(account, `/posts/${post.id}/comments`, { body: 'x' }, '/comments', n => ({
        body: `${n}`,
      }))
    },
  ],
])('updated_at of a %s', (_kind, create) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('increases by one millisecond per change while the clock stands still', async () => {
    const { created, change } = await create()
    const times = [created.updated_at]
    for (const n of [1, 2, 3]) times.push((await change(n)).body.updated_at)
    expect(times.map(time => Date.parse(time) - NOW)).toEqual([0, 1, 2, 3])
  })

  it('increases by one millisecond after the clock was set back', async () => {
    const { created, change } = await create()
    vi.setSystemTime(NOW - 3_600_000)
    const { body } = await change(1)
    expect(Date.parse(body.updated_at) - Date.parse(created.updated_at)).toBe(1)
  })
})
