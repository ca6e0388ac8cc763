import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { trimUsage, writeUsage } from '../../routers/credentials/usage/store.ts'
import { type RawResponse, request } from '../space-api/support/http.ts'
import { startTestService, type TestService, useTestService } from '../support/test-service.ts'

const service = useTestService()
const DAY = 24 * 60 * 60_000
const today = () => new Date().toISOString().slice(0, 10)

/** Creates a space with a key that has not been used. */
const unusedKey = async (at: TestService = service) => {
  const { owner, subdomain } = await at.createSpace()
  const { id, secret } = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['pages'] })
  const send = (method: string, path: string, body?: object | string): Promise<RawResponse> =>
    request(at.root, method, `/v1/spaces/${subdomain}${path}`, {
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const usage = async () => {
    await at.core.usage.flush()
    return owner.keys.usage({ subdomain, key_id: id })
  }
  return { owner, subdomain, id, secret, send, usage }
}

const countRows = async (table: string, credential: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where ${credential} in (key_id, token_id)`.execute(
    service.core.database,
  )
  return rows[0]!.n
}

test('a key that was never used has no calls', async () => {
  const { usage } = await unusedKey()
  expect(await usage()).toMatchObject({ last_day: today(), days: [], failures: [] })
})

test('calls count by day and result, also those that a remembered key makes', async () => {
  const { send, usage } = await unusedKey()
  for (let n = 0; n < 3; n++) await send('GET', '/pages')
  await send('POST', '/pages', { slug: 'a', html: 'x' })
  await send('GET', '/pages/none')
  await send('GET', '/data')
  expect((await usage()).days).toEqual([{ day: today(), succeeded: 4, refused: 2, limited: 0, failed: 0 }])
  await send('GET', '/pages')
  expect((await usage()).days).toEqual([{ day: today(), succeeded: 5, refused: 2, limited: 0, failed: 0 }])
})

test('a failed call is listed with what was wrong, but without its body, query and secret', async () => {
  const { subdomain, secret, send, usage } = await unusedKey()
  const body = { slug: 'Not A Slug', html: '', 'co\0lor': 'hidden value' }
  const responses = [await send('POST', '/pages?hidden=query', body), await send('DELETE', '/pages/none')]
  const { failures } = await usage()
  expect(failures).toEqual([
    {
      at: expect.any(String) as string,
      method: 'DELETE',
      path: `/v1/spaces/${subdomain}/pages/none`,
      status: 404,
      code: 'page_not_found',
      fields: [],
      reference: responses[1]!.headers['x-request-id'],
    },
    {
      at: expect.any(String) as string,
      method: 'POST',
      path: `/v1/spaces/${subdomain}/pages`,
      status: 422,
      code: 'validation_failed',
      fields: expect.arrayContaining(['slug', 'html', 'color']) as string[],
      reference: responses[0]!.headers['x-request-id'],
    },
  ])
  expect(JSON.stringify(failures)).not.toMatch(new RegExp(`hidden|Not A Slug|${secret}`))
})

test('a call of a tool is listed with the name of the tool', async () => {
  const { secret, usage } = await unusedKey()
  const params = { name: 'get_page', arguments: { page_id: 'none' } }
  await request(service.root, 'POST', '/mcp', {
    headers: {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { days, failures } = await usage()
  expect(days).toMatchObject([{ refused: 1 }])
  expect(failures).toMatchObject([{ method: 'POST', path: '/mcp get_page', code: 'page_not_found' }])
})

test('calls over the limit, and failures of the service, are told apart', async () => {
  const limited = await startTestService({ callsPerMinute: 1 })
  onTestFinished(() => limited.stop())
  const { send, usage } = await unusedKey(limited)
  await limited.core.database.schema.alterTable('pages').renameTo('hidden_pages').execute()
  expect([(await send('GET', '/pages')).status, (await send('GET', '/pages')).status]).toEqual([500, 429])
  const { days, failures } = await usage()
  expect(days).toEqual([{ day: today(), succeeded: 0, refused: 0, limited: 1, failed: 1 }])
  expect(failures.map(({ code }) => code)).toEqual(['rate_limited', 'internal_error'])
})

test('a token has usage too', async () => {
  const person = await service.signUp()
  const { id, secret } = await person.tokens.issue({ label: 'x', scopes: ['posts'] })
  await service.rest(secret).get('/posts')
  await service.rest(secret).get('/posts/none')
  await service.core.usage.flush()
  const { days, failures } = await person.tokens.usage({ token_id: id })
  expect(days).toEqual([{ day: today(), succeeded: 1, refused: 1, limited: 0, failed: 0 }])
  expect(failures).toMatchObject([{ path: '/v1/posts/none', code: 'post_not_found' }])
})

describe('what is stored', () => {
  /** Writes usage as a process does. */
  const write = (id: string, day: string, failedAt: readonly Date[] = []) =>
    writeUsage(service.core.database, {
      calls: [{ kind: 'key', id, day, succeeded: 2, refused: 1, limited: 0, failed: 0 }],
      failures: failedAt.map((at, n) => ({
        kind: 'key',
        id,
        at,
        method: 'GET',
        path: `/${n}`,
        status: 404,
        code: 'page_not_found',
        fields: [],
        reference: 'x',
      })),
    })

  test('adds up what several processes have counted', async () => {
    const { id, usage } = await unusedKey()
    await Promise.all([write(id, today()), write(id, today())])
    expect((await usage()).days).toEqual([{ day: today(), succeeded: 4, refused: 2, limited: 0, failed: 0 }])
  })

  test(`has the newest ${limits.failedCalls} failed calls of a key`, async () => {
    const { id, send, usage } = await unusedKey()
    const now = Date.now()
    const older = Array.from({ length: limits.failedCalls }, (_, n) => new Date(now - 60_000 + n))
    await write(id, today(), older)
    await send('GET', '/pages/newest')
    const { failures } = await usage()
    expect(failures).toHaveLength(limits.failedCalls)
    expect([failures[0]!.path, failures.at(-1)!.path]).toEqual([expect.stringContaining('newest'), '/1'])
    expect(await countRows('failed_calls', id)).toBe(limits.failedCalls)
  })

  test('is deleted when it is old', async () => {
    const { id } = await unusedKey()
    await write(id, today(), [new Date()])
    const { database } = service.core
    await trimUsage(database, new Date(Date.now() + (limits.failedCallDays - 1) * DAY))
    expect(await countRows('failed_calls', id)).toBe(1)
    await trimUsage(database, new Date(Date.now() + (limits.failedCallDays + 1) * DAY))
    expect([await countRows('failed_calls', id), await countRows('usage_days', id)]).toEqual([0, 1])
    await trimUsage(database, new Date(Date.now() + (limits.usageDays + 1) * DAY))
    expect(await countRows('usage_days', id)).toBe(0)
  })

  test('is deleted with its key, space or account, and not written for a key that is gone', async () => {
    const left = async (id: string) => [
      await countRows('failed_calls', id),
      await countRows('usage_days', id),
    ]
    const revoked = await unusedKey()
    await write(revoked.id, today(), [new Date()])
    expect(await left(revoked.id)).toEqual([1, 1])
    await revoked.owner.keys.revoke({ subdomain: revoked.subdomain, key_id: revoked.id })
    expect(await left(revoked.id)).toEqual([0, 0])
    await write(revoked.id, today(), [new Date()])
    expect(await left(revoked.id)).toEqual([0, 0])

    const deleted = await unusedKey()
    await write(deleted.id, today(), [new Date()])
    await deleted.owner.spaces.delete({ subdomain: deleted.subdomain, confirm: deleted.subdomain })
    expect(await left(deleted.id)).toEqual([0, 0])

    const person = await service.signUp()
    const { id, secret } = await person.tokens.issue({ label: 'x', scopes: ['posts'] })
    await service.rest(secret).get('/posts/none')
    await service.core.usage.flush()
    expect(await left(id)).toEqual([1, 1])
    await person.accounts.delete({ confirm: person.handle })
    expect(await left(id)).toEqual([0, 0])
  })
})
