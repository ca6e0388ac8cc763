import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
let author: Person
let people: Person[]

beforeAll(async () => {
  author = await service.signUp()
  people = await Promise.all(Array.from({ length: 8 }, () => service.signUp()))
})

const newPost = async () => (await author.api.post<{ id: string }>('/posts', { html: 'x' })).body.id
const countOf = async (id: string) => (await author.api.get(`/posts/${id}`)).body.like_count

describe('a like', () => {
  it('is counted once, even when repeated', async () => {
    const id = await newPost()
    for (let time = 0; time < 3; time++) {
      const { status, body } = await people[0]!.api.put(`/posts/${id}/like`)
      expect(status).toBe(200)
      expect(body).toEqual({ post_id: id, liked: true, like_count: 1 })
    }
    expect((await people[1]!.api.put(`/posts/${id}/like`)).body.like_count).toBe(2)
    expect(await countOf(id)).toBe(2)
    const { data } = (await author.api.get<{ data: { id: string; like_count: number }[] }>('/posts')).body
    expect(data.find(post => post.id === id)!.like_count).toBe(2)
  })

  it('is removed without affecting the likes of other people; removing a missing like succeeds too', async () => {
    const id = await newPost()
    await people[1]!.api.put(`/posts/${id}/like`)
    expect((await people[0]!.api.delete(`/posts/${id}/like`)).status).toBe(204)
    expect(await countOf(id)).toBe(1)
    await people[1]!.api.delete(`/posts/${id}/like`)
    expect((await people[1]!.api.delete(`/posts/${id}/like`)).status).toBe(204)
    expect(await countOf(id)).toBe(0)
  })

  it('works for your own posts and drafts', async () => {
    const draft = await author.writing.createDraft({ html: 'x' })
    for (const id of [draft.id, await newPost()])
      expect((await author.api.put(`/posts/${id}/like`)).body.like_count).toBe(1)
    expect((await author.api.delete(`/posts/${draft.id}/like`)).status).toBe(204)
  })

  it('needs no body and ignores one', async () => {
    const id = await newPost()
    const headers = { 'content-type': 'text/plain' }
    const response = await people[0]!.api.send(`/posts/${id}/like`, { method: 'PUT', body: '{{', headers })
    expect(response.status).toBe(200)
  })

  it('is counted once per account when many accounts send it repeatedly and concurrently', async () => {
    const id = await newPost()
    const calls = people.flatMap(({ api }) => [1, 2, 3, 4].map(() => api.put(`/posts/${id}/like`)))
    const responses = await Promise.all(calls)
    expect(responses.map(({ status }) => status)).toEqual(Array(calls.length).fill(200))
    for (const { body } of responses) {
      expect(body.like_count).toBeGreaterThanOrEqual(1)
      expect(body.like_count).toBeLessThanOrEqual(people.length)
    }
    expect(await countOf(id)).toBe(people.length)
  })

  it('is counted correctly after it was added and removed concurrently', async () => {
    const id = await newPost()
    await Promise.all(
      people.map(async ({ api }, index) => {
        for (let time = 0; time < 5; time++) {
          await api.put(`/posts/${id}/like`)
          await api.delete(`/posts/${id}/like`)
        }
        if (index % 2) await api.put(`/posts/${id}/like`)
      }),
    )
    expect(await countOf(id)).toBe(people.length / 2)
  })
})
