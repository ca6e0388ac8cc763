import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { type TestSpace, useWorld } from '../support/world.ts'
import { request } from './support/http.ts'
import { furnish, operations, type PathValues, pathOf, table } from './support/operations.ts'

const world = useWorld()
let space: TestSpace
let values: PathValues
let authorization: string

beforeAll(async () => {
  space = await world.space()
  values = await furnish(space)
  authorization = `Bearer ${await space.key(...SPACE_SCOPES)}`
})

/** The methods that the contract lists for each path. */
const allowed = {
  '/spaces/{subdomain}': 'GET',
  '/spaces/{subdomain}/pages': 'GET, POST',
  '/spaces/{subdomain}/pages/{page_id}': 'DELETE, GET, PATCH',
  '/spaces/{subdomain}/parts': 'GET, POST',
  '/spaces/{subdomain}/parts/{part_id}': 'DELETE, GET, PATCH',
  '/spaces/{subdomain}/data': 'GET',
  '/spaces/{subdomain}/data/{key}': 'DELETE, GET, PUT',
  '/spaces/{subdomain}/files': 'GET, POST',
  '/spaces/{subdomain}/files/{file_id}': 'DELETE, GET, PATCH',
}
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const CORS = /^access-control-/

describe.each(Object.entries(allowed))('%s', (path, allow) => {
  const at = () => pathOf(operations.find(operation => operation.path === path)!, values)
  const taken = new Set([...allow.split(', '), 'HEAD'])

  it('refuses other methods before it asks who calls, and names the ones it takes', async () => {
    for (const method of METHODS.filter(method => !taken.has(method))) {
      const answer = await request(world.root, method, at())
      expect([method, answer.status]).toEqual([method, 405])
      expect(answer.headers.allow).toBe(allow)
      expect(answer.body).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
  })

  it('gives browsers of other sites no leave, whatever they ask', async () => {
    for (const method of ['OPTIONS', 'GET']) {
      const { headers } = await request(world.root, method, at(), {
        headers: {
          Authorization: authorization,
          Origin: 'https://elsewhere.example',
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'authorization',
        },
      })
      expect(Object.keys(headers).filter(name => CORS.test(name))).toEqual([])
    }
  })

  it('answers HEAD as GET, without the body', async () => {
    const get = await request(world.root, 'GET', at(), { headers: { Authorization: authorization } })
    const head = await request(world.root, 'HEAD', at(), { headers: { Authorization: authorization } })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    for (const name of ['content-type', 'content-length', 'ratelimit-limit', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
    const refused = await request(world.root, 'HEAD', at())
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    expect(refused.text).toBe('')
  })
})

describe.each(table)('$title', ({ operation }) => {
  it('has no other spelling of its path', async () => {
    const path = pathOf(operation, values)
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
      const answer = await request(world.root, operation.method, spelling)
      expect([spelling, answer.status, answer.body.code]).toEqual([spelling, 404, 'not_found'])
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
  ])('answers not found to %s, in the form of every problem, and before it asks who calls', async path => {
    const answer = await request(world.root, 'GET', path)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(answer.body).toMatchObject({
      type: 'http://localhost/docs#error-not_found',
      status: 404,
      code: 'not_found',
    })
  })

  it('are read with their escapes', async () => {
    const escaped = Buffer.from(space.subdomain).toString('hex').replace(/../g, '%$&')
    const headers = { Authorization: authorization }
    const answer = await request(world.root, 'GET', `/v1/%73paces/${escaped}/data/${values.key}`, { headers })
    expect(answer.body).toMatchObject({ key: values.key })
  })

  it('may carry a query, which says nothing', async () => {
    const headers = { Authorization: authorization }
    const answer = await request(world.root, 'GET', `/v1/spaces/${space.subdomain}?subdomain=x&%zz`, {
      headers,
    })
    expect(answer.status).toBe(200)
  })

  it('prefer a wrong method to a missing credential, and an unknown path to a wrong method', async () => {
    const wrong = await request(world.root, 'DELETE', `/v1/spaces/${space.subdomain}`)
    expect(wrong.status).toBe(405)
    const unknown = await request(world.root, 'DELETE', `/v1/spaces/${space.subdomain}/`)
    expect(unknown.status).toBe(404)
  })
})
