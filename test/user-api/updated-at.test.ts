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
  api = (await service.signUp()).api
})

const createPost = async () => (await api.post<Resource>('/posts', { html: 'x' })).body

testUpdatedAt({
  post: async () => {
    const created = await createPost()
    return { created, change: n => api.patch<Resource>(`/posts/${created.id}`, { html: `${n}` }) }
  },
  comment: async () => {
    const post = await createPost()
    const { body } = await api.post<Resource>(`/posts/${post.id}/comments`, { body: 'x' })
    return { created: body, change: n => api.patch<Resource>(`/comments/${body.id}`, { body: `${n}` }) }
  },
})
