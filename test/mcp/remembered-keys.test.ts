/** Tests calls with a recently used key. The service starts such a call while the database still checks the key. */
import { describe, expect, test } from 'vitest'
import { head, openConnection } from '../space-api/support/http.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { protocols, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()

const revoke = async ({ owner, subdomain }: TestSpace) => {
  const keys = await owner.keys.list({ subdomain })
  const { id } = keys.find(({ scopes }) => scopes.join() === 'data')!
  await owner.keys.revoke({ subdomain, key_id: id })
}

describe.each(protocols)('a key that was used before, protocol %s', protocol => {
  /** Creates a space with a record, and reads the record with a new key, which the service then remembers. */
  const start = async () => {
    const space = await service.createSpace()
    await space.api.put('/data/kept', { value: 1 })
    const secret = await space.key('data')
    const client = toolClient(service, '/mcp', secret, protocol)
    const send = (name: string, args: object) =>
      client.send<ToolResult>('tools/call', { name, arguments: args })
    const read = () => send('get_data', { key: 'kept' })
    expect((await read()).result.structuredContent).toMatchObject({ value: 1 })
    return { space, secret, client, send, read }
  }

  test.each([
    ['get_data', { key: 'kept' }],
    ['put_data', { key: 'kept', value: 2 }],
    ['no_such_tool', {}],
  ])('is refused after the key is revoked, when the client next calls %s', async (name, args) => {
    const { space, send } = await start()
    await revoke(space)
    for (let call = 0; call < 2; call++) {
      const { status, headers, error } = await send(name, args)
      expect({ status, data: error.data }).toMatchObject({ status: 401, data: { code: 'unauthorized' } })
      expect(headers['ratelimit-remaining']).toBeUndefined()
    }
    expect((await space.api.get('/data/kept')).body).toMatchObject({ value: 1, version: 1 })
  })

  test('is refused after it is revoked, when the client next requests the list of tools', async () => {
    const { space, client } = await start()
    await revoke(space)
    expect((await client.send('tools/list')).status).toBe(401)
  })

  test('lets a call read the new name of a renamed space, and the call is counted only once', async () => {
    const { space, send, read } = await start()
    const before = await read()
    await space.owner.spaces.rename({ subdomain: space.subdomain, name: 'A new name' })
    const after = await send('get_space', {})
    expect(after.result.structuredContent).toMatchObject({ name: 'A new name' })
    const remaining = ({ headers }: { headers: typeof before.headers }) =>
      Number(headers['ratelimit-remaining'])
    expect(remaining(before) - remaining(after)).toBe(1)
  })

  test('is refused before the body of the request arrives, if the key was revoked', async () => {
    const { space, secret } = await start()
    await revoke(space)
    const connection = await openConnection(service.root)
    await connection.write(
      head('POST', '/mcp', {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': 100,
      }),
    )
    const response = await connection.waitForText('"unauthorized"')
    expect(response).toContain('HTTP/1.1 401')
    // If the service had waited for the body, it would have given up and closed the connection.
    expect(response).toContain('Connection: keep-alive')
    connection.destroy()
  })
})
