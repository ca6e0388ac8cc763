import { beforeAll, describe, expect, it } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { head, openConnection } from './support/http.ts'

const service = useTestService({ bodyMemory: 2_000_000 })
let space: TestSpace

beforeAll(async () => {
  space = await service.createSpace()
})

describe('the body of a request without a session', () => {
  it.each([
    [65_536, 401],
    [65_537, 413],
  ])('of %i bytes gets a %i', async (bytes, status) => {
    const body = JSON.stringify({ handle: 'nobody', password: 'wrong password' }).padEnd(bytes)
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${service.root}/trpc/sessions.create`, { method: 'POST', headers, body })
    expect(response.status).toBe(status)
  })
})

describe('if the bodies of all callers exceed the memory for bodies', () => {
  const FILE = Buffer.from(JSON.stringify({ name: 'a', encoding: 'text', content: 'x'.repeat(200_000) }))

  /** Opens a connection and sends a part of an upload. */
  const begin = async (key: string, part: Buffer) => {
    const connection = await openConnection(service.root)
    await connection.write(
      head('POST', `/v1/spaces/${space.subdomain}/files`, {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': FILE.length,
      }),
    )
    await connection.write(part)
    return connection
  }

  it('the caller that sends the most gets a 503 for an unfinished body, and other bodies are completed', async () => {
    const { subdomain, join } = space
    const guest = await join()
    const key = await space.key('files_write')
    const { secret: otherKey } = await guest.keys.issue({ subdomain, label: 'test', scopes: ['files_write'] })
    const other = await begin(otherKey, FILE.subarray(0, 1_000))
    const flood = await Promise.all(Array.from({ length: 12 }, () => begin(key, FILE.subarray(0, -1))))
    const refused = await Promise.any(flood.map(connection => connection.waitForText('}')))
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toMatch(/^retry-after: \d+\r$/im)
    expect(refused).toContain('"code":"unavailable"')
    await other.write(FILE.subarray(1_000))
    expect(await other.waitForText('}')).toMatch(/^HTTP\/1\.1 201 /)
    for (const connection of [other, ...flood]) connection.destroy()
  })
})
