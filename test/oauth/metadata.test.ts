import { describe, expect, test } from 'vitest'
import { restClient } from '../support/rest-client.ts'
import { startTestService, useTestService } from '../support/test-service.ts'

const service = useTestService()
const get = (path: string) => restClient(service.root).get(path)

describe('a client that knows only the URL of a tool server', () => {
  test.each([
    ['/user-mcp', ['posts', 'comments', 'likes', 'profile'], 'posts profile'],
    ['/mcp', ['pages', 'data', 'files', 'files_write'], 'pages data files files_write'],
  ])('finds the metadata of %s through its 401 response', async (path, scopes, needed) => {
    const refusal = await restClient(service.root).post(path, {})
    expect(refusal.status).toBe(401)
    const header = refusal.headers.get('www-authenticate') ?? ''
    const metadata = `http://localhost/.well-known/oauth-protected-resource${path}`
    expect(header).toBe(`Bearer resource_metadata="${metadata}", scope="${needed}"`)
    const { status, body } = await get(new URL(metadata).pathname)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      resource: `http://localhost${path}`,
      authorization_servers: ['http://localhost/oauth'],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
  })

  test.each([
    '/.well-known/oauth-authorization-server/oauth',
    '/.well-known/openid-configuration/oauth',
    '/oauth/.well-known/openid-configuration',
    '/oauth/.well-known/oauth-authorization-server',
  ])('finds the metadata of the authorization server at %s', async path => {
    const { status, headers, body } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      issuer: 'http://localhost/oauth',
      authorization_endpoint: 'http://localhost/oauth/authorize',
      token_endpoint: 'http://localhost/oauth/token',
      registration_endpoint: 'http://localhost/oauth/register',
      revocation_endpoint: 'http://localhost/oauth/revoke',
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  test('can call the token endpoint from a web page of another site', async () => {
    const response = await fetch(`${service.root}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  const toolServers = ['/mcp', '/mcp/studio', '/mcp/readonly', '/user-mcp']
  const metadata = ['oauth-authorization-server', 'oauth-protected-resource', 'openid-configuration']
  test.each([
    ...['/authorize', '/token', '/register', '/revoke'].map(path => ['POST', path] as const),
    ...toolServers.map(path => ['POST', `${path}/register`] as const),
    ...toolServers.map(path => ['GET', `/.well-known/oauth-authorization-server${path}`] as const),
    ...metadata.map(name => ['GET', `/.well-known/${name}`] as const),
  ])('is told the address of the authorization server by %s %s', async (method, path) => {
    const { status, headers, body } = await restClient(service.root).send(path, { method })
    expect(status).toBe(404)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toEqual({
      error: 'invalid_request',
      error_description:
        'The authorization server is http://localhost/oauth. Its endpoints are listed in http://localhost/.well-known/oauth-authorization-server/oauth',
    })
  })

  test.each(['/oauth/token', '/oauth/register', '/oauth/revoke'])('gets 405 for a GET of %s', async path => {
    const { status, headers, body } = await get(path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('POST')
    expect(body).toMatchObject({ error: 'invalid_request' })
  })
})

describe('with an API root that has a path', () => {
  test('the metadata addresses contain that path', async () => {
    const other = await startTestService({ apiRoot: 'https://example.test/api' })
    try {
      const client = restClient(other.root)
      const resource = await client.get('/.well-known/oauth-protected-resource/api/user-mcp')
      expect(resource.body).toMatchObject({ resource: 'https://example.test/api/user-mcp' })
      const server = await client.get('/.well-known/oauth-authorization-server/api/oauth')
      expect(server.body).toMatchObject({ issuer: 'https://example.test/api/oauth' })
    } finally {
      await other.stop()
    }
  })
})
