import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'

interface Resource {
  id: string
  updated_at: string
}

const service = useTestService()
let api: RestClient

beforeEach(async () => {
  api = (await service.createSpace()).api
})

/** For each kind of resource, a function that creates one and returns it with a function that changes it. */
const resources = {
  page: async () => {
    const { body } = await api.post<Resource>('/pages', { slug: 'page', html: 'x' })
    return {
      created: body,
      change: (n: number) => api.patch<Resource>(`/pages/${body.id}`, { html: `${n}` }),
    }
  },
  part: async () => {
    const { body } = await api.post<Resource>('/parts', { name: 'part', html: 'x' })
    return {
      created: body,
      change: (n: number) => api.patch<Resource>(`/parts/${body.id}`, { html: `${n}` }),
    }
  },
  file: async () => {
    const { body } = await api.post<Resource>('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    const change = (n: number) => api.patch<Resource>(`/files/${body.id}`, { name: `${n}.txt` })
    return { created: body, change }
  },
  record: async () => {
    const change = (n: number) => api.put<Resource>('/data/record', { value: n })
    return { created: (await change(0)).body, change }
  },
}

describe.each(Object.keys(resources) as (keyof typeof resources)[])('updated_at of a %s', kind => {
  const NOW = Date.parse('2030-01-01T12:00:00Z')

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('increases by one millisecond per change while the clock stands still', async () => {
    const { created, change } = await resources[kind]()
    const times = [created.updated_at]
    for (const n of [1, 2, 3]) times.push((await change(n)).body.updated_at)
    expect(times.map(time => Date.parse(time) - NOW)).toEqual([0, 1, 2, 3])
  })

  it('increases by one millisecond after the clock was set back', async () => {
    const { created, change } = await resources[kind]()
    vi.setSystemTime(NOW - 3_600_000)
    const { body } = await change(1)
    expect(Date.parse(body.updated_at) - Date.parse(created.updated_at)).toBe(1)
  })
})
