import { describe, expect, it } from 'vitest'
import { useFilledSpace } from '../contract/filled.ts'
import { pathOf, spaceOperations } from '../contract/operations.ts'
import { useTestService } from '../support/test-service.ts'
import { request } from './support/http.ts'

const service = useTestService()
const filled = useFilledSpace(service)

/** The paths of the contract, each with its methods as `Allow` lists them. */
const paths = Object.entries(Object.groupBy(spaceOperations, ({ operation }) => operation.path)).map(
  ([path, rows = []]) => ({
    path,
    row: rows[0]!,
    allow: rows
      .map(({ facts }) => facts.route.split(' ')[0]!)
      .toSorted()
      .join(', '),
  }),
)
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const CORS = /^access-control-/

describe.each(paths)('$path', ({ row, allow }) => {
  const at = () => pathOf(row, filled.values)
  const known = new Set([...allow.split(', '), 'HEAD'])

  it('rejects other methods with 405 before checking the credential, and lists the allowed ones', async () => {
    for (const method of METHODS.filter(method => !known.has(method))) {
      const response = await request(service.root, method, at())
      expect([method, response.status]).toEqual([method, 405])
      expect(response.headers.allow).toBe(allow)
      expect(response.body).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(response.headers['www-authenticate']).toBeUndefined()
    }
  })

  it('never sends CORS headers', async () => {
    for (const method of ['OPTIONS', 'GET']) {
      const { headers } = await request(service.root, method, at(), {
        headers: {
          Authorization: filled.authorization,
          Origin: 'https://elsewhere.example',
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'authorization',
        },
      })
      expect(Object.keys(headers).filter(name => CORS.test(name))).toEqual([])
    }
  })
})

const readable = paths.filter(({ allow }) => allow.split(', ').includes('GET'))

describe.each(readable)('$path', ({ row }) => {
  it('returns the same headers for HEAD as for GET, without a body', async () => {
    const get = await request(service.root, 'GET', pathOf(row, filled.values), {
      headers: { Authorization: filled.authorization },
    })
    const head = await request(service.root, 'HEAD', pathOf(row, filled.values), {
      headers: { Authorization: filled.authorization },
    })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    for (const name of ['content-type', 'content-length', 'ratelimit-limit', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
    const refused = await request(service.root, 'HEAD', pathOf(row, filled.values))
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    expect(refused.text).toBe('')
  })
})

describe.each(spaceOperations)('$title', row => {
  it('returns 404 for variants of its path', async () => {
    const path = pathOf(row, filled.values)
    const spellings = [
      `${path}/`,
      `${path}/more/of/it`,
      `${path}%`,
      `${path}%zz`,
      `${path}%C3%28`,
      `${path}%ED%A0%80`,
      path.replace('/spaces/', '/spaces//'),
      path.replace('/spaces/', '/Spaces/'),
      path.replace('/v1/', '/v1//'),
    ]
    for (const spelling of spellings) {
      const response = await request(service.root, row.operation.method, spelling)
      expect([spelling, response.status, response.body.code]).toEqual([spelling, 404, 'not_found'])
    }
  })
})

describe('paths', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1?x',
    '/v1/spaces',
    '/v1/spaces/',
    '/v1/pages',
    '/v1/spaces/abc/posts',
    '/v1/spaces/abc/__proto__',
    '/v1/__proto__/abc',
    '/v1/spaces//pages',
    '/v1/%',
  ])('return 404 as a problem, before the credential is checked, if they do not exist: %s', async path => {
    const response = await request(service.root, 'GET', path)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.body).toMatchObject({
      type: 'http://localhost/docs#error-not_found',
      status: 404,
      code: 'not_found',
    })
  })

  it('are percent-decoded', async () => {
    const escaped = Buffer.from(filled.space.subdomain).toString('hex').replace(/../g, '%$&')
    const headers = { Authorization: filled.authorization }
    const response = await request(service.root, 'GET', `/v1/%73paces/${escaped}/data/${filled.values.key}`, {
      headers,
    })
    expect(response.body).toMatchObject({ key: filled.values.key })
  })

  it('may have a query, which is ignored', async () => {
    const headers = { Authorization: filled.authorization }
    const response = await request(
      service.root,
      'GET',
      `/v1/spaces/${filled.space.subdomain}?subdomain=x&%zz`,
      {
        headers,
      },
    )
    expect(response.status).toBe(200)
  })

  it('are checked before methods, and methods before credentials', async () => {
    const wrong = await request(service.root, 'DELETE', `/v1/spaces/${filled.space.subdomain}`)
    expect(wrong.status).toBe(405)
    const unknown = await request(service.root, 'DELETE', `/v1/spaces/${filled.space.subdomain}/`)
    expect(unknown.status).toBe(404)
  })
})
