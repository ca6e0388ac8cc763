import { describe, expect, test } from 'vitest'
import { openConnection } from '../space-api/support/http.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestService, useTestService } from '../support/test-service.ts'

const HOSTS = [
  ['the main site', 'localhost', '/', 200],
  ['the API', 'localhost', '/v1/me', 401],
  ['the authorization server', 'localhost', '/oauth/authorize', 400],
  ['the dashboard API', 'localhost', '/trpc/accounts.me', 401],
  ['a health probe', 'localhost', '/healthz', 200],
  ['an address that does not exist', 'localhost', '/none', 404],
  ['a site', 'none.sites.localhost', '/', 404],
  ['a scripted page', 'none.pages.localhost', '/', 404],
  ['a draft', 'preview-k3v9x2m7q4t8w5z6.pages.localhost', '/', 200],
  ['a file', 'none.files.localhost', '/', 404],
  ['a post', 'none.posts.localhost', '/', 404],
] as const

describe('under https', () => {
  const service = useTestService({ apiRoot: 'https://localhost', scheme: 'https' })
  test.each(HOSTS)('%s sends Strict-Transport-Security', async (_, host, path, status) => {
    const response = await requestHost(service, host, path)
    expect(response.status).toBe(status)
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

describe.each([
  ['the main site', 'localhost'],
  ['a site', 'none.sites.localhost'],
])('a malformed request to %s', (_, host) => {
  const secure = useTestService({ apiRoot: 'https://localhost', scheme: 'https' })
  const plain = useTestService()
  const send = async ({ root }: TestService) => {
    const connection = await openConnection(root)
    await connection.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nBad Header: x\r\n\r\n`)
    return connection.waitForClose()
  }

  test('gets Strict-Transport-Security under https only', async () => {
    expect(await send(secure)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*^Strict-Transport-Security: max-age=31536000\r$/m,
    )
    expect(await send(plain)).not.toContain('Strict-Transport-Security')
  })
})

describe('under http', () => {
  const service = useTestService()
  test.each(HOSTS)('%s does not send Strict-Transport-Security', async (_, host, path) => {
    expect((await requestHost(service, host, path)).headers).not.toHaveProperty('strict-transport-security')
  })
})
