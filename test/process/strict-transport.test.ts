import { describe, expect, test } from 'vitest'
import { browse } from '../support/browse.ts'
import { useWorld } from '../support/world.ts'

const HOSTS = [
  ['the main site', 'localhost', '/', 200],
  ['the API', 'localhost', '/v1/me', 401],
  ['the authorization server', 'localhost', '/oauth/authorize', 400],
  ['the dashboard API', 'localhost', '/trpc/accounts.me', 401],
  ['a health probe', 'localhost', '/healthz', 200],
  ['an address that does not exist', 'localhost', '/none', 404],
  ['a site', 'none.sites.localhost', '/', 404],
  ['a scripted page', 'none.pages.localhost', '/', 404],
  ['a file', 'none.files.localhost', '/', 404],
  ['a post', 'none.posts.localhost', '/', 404],
] as const

describe('under https', () => {
  const world = useWorld({ apiRoot: 'https://localhost', scheme: 'https' })
  test.each(HOSTS)('%s sends Strict-Transport-Security', async (_, host, path, status) => {
    const answer = await browse(world, host, path)
    expect(answer.status).toBe(status)
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

describe('under http', () => {
  const world = useWorld()
  test.each(HOSTS)('%s does not send Strict-Transport-Security', async (_, host, path) => {
    expect((await browse(world, host, path)).headers).not.toHaveProperty('strict-transport-security')
  })
})
