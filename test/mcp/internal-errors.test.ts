import { afterEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { breakCallerTables, hideCallerTables, restoreTables } from '../openapi/scenario.ts'
import { useTestService } from '../support/test-service.ts'
import { protocols, toolClient } from './support/tool-client.ts'

const service = useTestService()
afterEach(() => restoreTables(service))

const secretFor = {
  '/mcp': async () => (await service.createSpace()).key(...SPACE_SCOPES),
  '/user-mcp': async () => (await service.signUp()).token(...USER_SCOPES),
}

describe.each(protocols)('protocol %s', protocol => {
  const requests = (['/mcp', '/user-mcp'] as const).flatMap(path =>
    (['tools/call', 'tools/list', 'ping'] as const).map(method => ({ path, method })),
  )

  test.each(requests)(
    '$method at $path returns 500 with a reference if the credential lookup fails unexpectedly',
    async ({ path, method }) => {
      const client = toolClient(service, path, await secretFor[path](), protocol)
      await hideCallerTables(service)
      const params = method === 'tools/call' ? { name: path === '/mcp' ? 'get_space' : 'get_me' } : {}
      const { status, headers, result, error } = await client.send(method, params)

      expect(status).toBe(500)
      expect(headers).not.toHaveProperty('www-authenticate')
      expect(result).toBeUndefined()
      const reference = /^Reference (\w{16})$/.exec(error.message)?.[1]
      expect(error).toEqual({
        code: -32_603,
        message: `Reference ${reference}`,
        data: {
          type: expect.stringMatching(/#error-internal_error$/),
          title: expect.any(String),
          status: 500,
          code: 'internal_error',
          detail: `Reference ${reference}`,
        },
      })
      expect(JSON.stringify(error)).not.toMatch(/relation|select|hidden/)
      expect(service.log).toContainEqual(
        expect.objectContaining({
          reference,
          msg: 'fault',
          err: expect.objectContaining({ message: expect.stringContaining('does not exist') }),
        }),
      )
    },
  )

  test.each(requests.filter(({ method }) => method !== 'tools/call'))(
    '$method at $path returns 503 with Retry-After while the database is unavailable',
    async ({ path, method }) => {
      const client = toolClient(service, path, await secretFor[path](), protocol)
      await breakCallerTables(service)
      const { status, headers, error } = await client.send(method)

      expect(status).toBe(503)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(error).toMatchObject({ data: { status: 503, code: 'unavailable' } })
    },
  )
})
