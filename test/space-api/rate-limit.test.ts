import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { request } from './support/http.ts'

const service = useTestService({ callsPerMinute: 60 })

let owner: Person

beforeAll(async () => {
  owner = await service.signUp()
})

const newSpace = () => service.createSpace(undefined, owner)

afterEach(() => {
  vi.useRealTimers()
})

const left = async (api: RestClient) => Number((await api.get('')).headers.get('ratelimit-remaining'))

const useUp = async (api: RestClient) => {
  while ((await left(api)) > 0);
}

describe('calls of one key', () => {
  it('are limited to 60 per minute', async () => {
    const { api } = await newSpace()
    const seen: unknown[] = []
    for (let call = 1; call <= 60; call++) {
      const { status, headers } = await api.get('')
      expect(status).toBe(200)
      expect(headers.get('ratelimit-limit')).toBe('60')
      seen.push(Number(headers.get('ratelimit-remaining')))
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index))
    const { status, headers, body } = await api.get('')
    expect(status).toBe(429)
    expect(body).toMatchObject({ status: 429, code: 'rate_limited' })
    const wait = headers.get('retry-after')
    expect(wait).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect(body.detail).toContain(wait)
    expect(headers.get('ratelimit-limit')).toBe('60')
    expect(headers.get('ratelimit-remaining')).toBe('0')
    expect(headers.get('ratelimit-reset')).toBe(wait)
  })

  it('are allowed again 60 seconds after the first one, even if many were rejected since', async () => {
    const start = new Date()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const { api } = await newSpace()
    await useUp(api)
    vi.setSystemTime(start.getTime() + 58_500)
    const refused = await api.get('')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    for (let call = 0; call < 20; call++) expect((await api.get('')).status).toBe(429)
    vi.setSystemTime(start.getTime() + 61_000)
    const { status, headers } = await api.get('')
    expect(status).toBe(200)
    expect(headers.get('ratelimit-remaining')).toBe('59')
    expect(headers.get('ratelimit-reset')).toBe('60')
  })

  it('do not count towards the limit of another key', async () => {
    const space = await newSpace()
    await useUp(space.api)
    expect(await left(await space.apiWith('pages'))).toBe(59)
    expect((await space.api.get('')).status).toBe(429)
  })

  it('are limited even when they are concurrent', async () => {
    const { api } = await newSpace()
    const responses = await Promise.all(Array.from({ length: 90 }, () => api.get('')))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  it('are counted whether they succeed or fail', async () => {
    const space = await newSpace()
    const api = await space.apiWith('pages')
    const json = { 'content-type': 'application/json' }
    const calls: [number, () => Promise<{ status: number }>][] = [
      [404, () => api.get(`/pages/${'a'.repeat(16)}`)],
      [403, () => api.get('/data')],
      [400, () => api.post('/pages', '{')],
      [422, () => api.post('/pages', {})],
      [
        415,
        () => api.send('/pages', { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }),
      ],
      [413, () => api.send('/pages', { method: 'POST', body: ' '.repeat(1_048_577), headers: json })],
      [201, () => api.post('/pages', { slug: 'a', html: 'a' })],
      [409, () => api.post('/pages', { slug: 'a', html: 'a' })],
    ]
    for (const [status, call] of calls) expect((await call()).status).toBe(status)
    expect(await left(api)).toBe(59 - calls.length)
  })

  it('are counted even if they are rejected because they name another space', async () => {
    const [one, two] = await Promise.all([newSpace(), newSpace()])
    const secret = await one.key('pages')
    expect((await service.rest(secret, `/v1/spaces/${two.subdomain}`).get('')).status).toBe(403)
    expect(await left(service.rest(secret, `/v1/spaces/${one.subdomain}`))).toBe(58)
  })

  it('are not counted when the path or method is unknown', async () => {
    const { api } = await newSpace()
    expect((await api.get('/nowhere')).status).toBe(404)
    expect((await api.get('/pages/')).status).toBe(404)
    expect((await api.delete('/pages')).status).toBe(405)
    expect((await api.put('')).status).toBe(405)
    expect(await left(api)).toBe(59)
  })

  it('get 429 above the limit, before scopes, paths and bodies are checked', async () => {
    const space = await newSpace()
    const secret = await space.key('files')
    await useUp(service.rest(secret, `/v1/spaces/${space.subdomain}`))
    for (const path of ['/spaces/elsewhere', `/spaces/${space.subdomain}/data`]) {
      const response = await service.rest(secret).get(path)
      expect(response.body.code).toBe('rate_limited')
    }
    const upload = await request(service.root, 'POST', `/v1/spaces/${space.subdomain}/files`, {
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'text/plain' },
      body: Buffer.alloc(15_000_000),
    })
    expect(upload.body.code).toBe('rate_limited')
  })
})

it('GET on a space returns the rate limit that is enforced', async () => {
  const { api } = await newSpace()
  expect((await api.get('')).body.rate_limit).toEqual({ requests_per_minute: 60 })
})
