import { beforeEach } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { testUpdatedAt } from '../support/updated-at.ts'

interface Resource {
  id: string
  updated_at: string
}

const service = useTestService()
let api: RestClient

beforeEach(async () => {
  api = (await service.createSpace()).api
})

testUpdatedAt({
  page: async () => {
    const { body } = await api.post<Resource>('/pages', { slug: 'page', html: 'x' })
    return { created: body, change: n => api.patch<Resource>(`/pages/${body.id}`, { html: `${n}` }) }
  },
  part: async () => {
    const { body } = await api.post<Resource>('/parts', { name: 'part', html: 'x' })
    return { created: body, change: n => api.patch<Resource>(`/parts/${body.id}`, { html: `${n}` }) }
  },
  file: async () => {
    const { body } = await api.post<Resource>('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    return { created: body, change: n => api.patch<Resource>(`/files/${body.id}`, { name: `${n}.txt` }) }
  },
  record: async () => {
    const change = (n: number) => api.put<Resource>('/data/record', { value: n })
    return { created: (await change(0)).body, change }
  },
})
