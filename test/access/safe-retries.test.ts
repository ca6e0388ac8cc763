import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { trimAnswers } from '../../routers/accounts/trim.ts'
import { limits } from '../../routers/api/rules.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { bodyOf, pathOf, type Row, spaceOperations, userOperations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { breakTables, restoreTables } from '../openapi/scenario.ts'
import { type RawResponse, request } from '../space-api/support/http.ts'
import {
  type Person,
  startTestService,
  type TestService,
  type TestSpace,
  uniqueName,
  useTestService,
} from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()
let space: TestSpace
let person: Person
let secrets: { space: string; user: string }
beforeAll(async () => {
  space = await service.createSpace()
  person = await service.signUp()
  secrets = { space: await space.key(...SPACE_SCOPES), user: await person.token(...USER_SCOPES) }
})

const operations = [...spaceOperations, ...userOperations]
const creations = operations.filter(({ operation }) => operation.method === 'POST')
const pages = creations.find(({ operation }) => operation.name === 'pages.create')!
const comments = creations.find(({ operation }) => operation.name === 'comments.create')!

/** A call of an operation that can be sent again and again. */
interface Prepared {
  row: Row
  path: string
  body: string
  headers: Record<string, string>
}

const prepare = async (row: Row, key: string = uniqueName('key')): Promise<Prepared> => {
  const { api } = row.operation.meta
  const values: PathValues = api === 'space' ? await fillSpace(space) : await fillAccount(person)
  return {
    row,
    path: pathOf(row, values),
    body: JSON.stringify(bodyOf(row)),
    headers: {
      Authorization: `Bearer ${secrets[api!]}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
  }
}

const send = (
  { row, path, body, headers }: Prepared,
  more: Record<string, string> = {},
  at: TestService = service,
): Promise<RawResponse> =>
  request(at.root, row.operation.method, path, { headers: { ...headers, ...more }, body })

/** What repeating a call repeats. */
const answerOf = ({ status, text, headers }: RawResponse) => ({
  status,
  text,
  headers: Object.fromEntries(
    ['content-type', 'etag', 'location', 'x-template-error', 'cache-control'].map(name => [
      name,
      headers[name],
    ]),
  ),
})

const isReplayed = ({ headers }: RawResponse) => headers['idempotency-replayed'] === 'true'

/** Counts the rows that an operation creates. */
const countRows = async ({ operation }: Row): Promise<number> => {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(operation.name.split('.')[0]!)}`.execute(
    service.core.database,
  )
  return rows[0]!.n
}

test('every creation takes part', () => {
  expect(creations.map(({ operation }) => operation.name)).toEqual(
    expect.arrayContaining([
      'pages.create',
      'parts.create',
      'files.create',
      'posts.create',
      'comments.create',
    ]),
  )
})

describe.each(creations)('$title', row => {
  it('repeats its first answer for the same key, without another effect', async () => {
    const call = await prepare(row)
    const before = await countRows(row)
    const first = await send(call)
    expect([first.status, isReplayed(first)]).toEqual([row.facts.status, false])
    const second = await send(call)
    expect(answerOf(second)).toEqual(answerOf(first))
    expect(isReplayed(second)).toBe(true)
    expect(await countRows(row)).toBe(before + 1)
    const remaining = (response: RawResponse) => Number(response.headers['ratelimit-remaining'])
    expect(remaining(second)).toBe(remaining(first) - 1)
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('has one effect for 50 equal calls at the same time', async () => {
    const call = await prepare(row)
    const before = await countRows(row)
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(call)))
    expect(new Set(responses.map(response => JSON.stringify(answerOf(response)))).size).toBe(1)
    expect(responses[0]!.status).toBe(row.facts.status)
    expect(responses.filter(isReplayed)).toHaveLength(49)
    expect(await countRows(row)).toBe(before + 1)
  })

  it('refuses the same key with another body', async () => {
    const call = await prepare(row)
    await send(call)
    const other = await send({ ...call, body: `${call.body} ` })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('repeats a refusal', async () => {
    const call = { ...(await prepare(row)), body: '{"color": "red"}' }
    const first = await send(call)
    expect([first.status, isReplayed(first)]).toEqual([422, false])
    const second = await send(call)
    expect(answerOf(second)).toEqual(answerOf(first))
    expect(isReplayed(second)).toBe(true)
  })

  it('runs again after a failure of the service', async () => {
    const call = await prepare(row)
    const table = row.operation.name.split('.')[0]!
    await breakTables(service, [table])
    const failed = await send(call)
    await restoreTables(service)
    expect(failed.status).toBe(503)
    const second = await send(call)
    expect([second.status, isReplayed(second)]).toEqual([row.facts.status, false])
  })
})

describe('a key', () => {
  test('belongs to a path and to the preconditions', async () => {
    const call = await prepare(comments)
    await send(call)
    const path = pathOf(comments, await fillAccount(person))
    expect((await send({ ...call, path })).body.code).toBe('idempotency_key_reused')
    expect((await send(call, { 'If-None-Match': '*' })).body.code).toBe('idempotency_key_reused')
    expect(isReplayed(await send(call))).toBe(true)
  })

  test('belongs to a credential', async () => {
    const call = await prepare(pages)
    const other = { Authorization: `Bearer ${await space.key(...SPACE_SCOPES)}` }
    expect((await send(call)).status).toBe(201)
    expect((await send(call, other)).body.code).toBe('slug_taken')
  })

  test.each([
    ['a', '"a"'],
    ['8f14e45f-ceea-467f', '"8f14e45f-ceea-467f"'],
    [String.raw`a\b`, String.raw`"a\\b"`],
  ])('%s is the same as %s', async (bare, quoted) => {
    const call = await prepare(pages)
    const first = await send(call, { 'Idempotency-Key': bare })
    const second = await send(call, { 'Idempotency-Key': quoted })
    expect(isReplayed(second)).toBe(true)
    expect(answerOf(second)).toEqual(answerOf(first))
  })

  test.each([
    ['is empty', ''],
    ['is an empty string', '""'],
    ['has spaces without quotation marks', 'a b'],
    ['ends within a string', '"a'],
    ['is too long', 'x'.repeat(limits.idempotencyKey + 1)],
  ])('that %s is refused', async (_what, key) => {
    const { status, body } = await send(await prepare(pages), { 'Idempotency-Key': key })
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'Idempotency-Key', message: expect.stringContaining('must be a header') as string }],
    ])
  })

  test('is ignored by other methods', async () => {
    const { owner, subdomain } = space
    const { id } = await owner.pages.create({ subdomain, slug: uniqueName('page'), html: 'x' })
    const rename = (slug: string) =>
      request(service.root, 'PATCH', `/v1/spaces/${subdomain}/pages/${id}`, {
        headers: {
          Authorization: `Bearer ${secrets.space}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'rename',
        },
        body: JSON.stringify({ slug }),
      })
    const slugs = [uniqueName('page'), uniqueName('page')]
    expect((await Promise.all(slugs.map(rename))).map(({ status }) => status)).toEqual([200, 200])
  })
})

test('a conflict is repeated even after its cause is gone', async () => {
  const { owner, subdomain } = space
  const slug = uniqueName('page')
  const { id } = await owner.pages.create({ subdomain, slug, html: 'x' })
  const call = { ...(await prepare(pages)), body: JSON.stringify({ slug, html: 'x' }) }
  const first = await send(call)
  expect(first.body.code).toBe('slug_taken')
  await owner.pages.delete({ subdomain, page_id: id })
  expect(answerOf(await send(call))).toEqual(answerOf(first))
  expect((await send(call, { 'Idempotency-Key': uniqueName('key') })).status).toBe(201)
})

test.each([
  ['is not JSON', '{', {}, 'invalid_json'],
  ['has another type', '{}', { 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
  ['is too large', ' '.repeat(limits.body + 1), {}, 'payload_too_large'],
])('a body that %s does not use up its key', async (_what, body, headers, code) => {
  const call = await prepare(pages)
  expect((await send({ ...call, body }, headers)).body.code).toBe(code)
  const corrected = await send(call)
  expect([corrected.status, isReplayed(corrected)]).toEqual([201, false])
})

test('the answer to a page with an error repeats X-Template-Error', async () => {
  const body = JSON.stringify({ slug: uniqueName('page'), html: "{% render 'nothing' %}" })
  const call = { ...(await prepare(pages)), body }
  const first = await send(call)
  expect(first.headers['x-template-error']).toBe('missing_part')
  expect(answerOf(await send(call))).toEqual(answerOf(first))
})

describe('before an answer is repeated', () => {
  test('the credential, its scope and its space are checked', async () => {
    const { owner, subdomain } = space
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    const own = { Authorization: `Bearer ${secret}` }
    const call = await prepare(pages)
    expect((await send(call, own)).status).toBe(201)
    const elsewhere = await send({ ...call, path: '/v1/spaces/elsewhere/pages' }, own)
    expect(elsewhere.body.code).toBe('space_mismatch')
    const files = await send({ ...call, path: `/v1/spaces/${subdomain}/files` }, own)
    expect(files.body.code).toBe('insufficient_scope')
    await owner.keys.revoke({ subdomain, key_id: id })
    expect((await send(call, own)).body.code).toBe('unauthorized')
  })

  test('the call is counted', async () => {
    const limited = await startTestService({ callsPerMinute: 2 })
    onTestFinished(() => limited.stop())
    const other = await limited.createSpace()
    const { headers, row } = await prepare(pages)
    const call: Prepared = {
      row,
      path: `/v1/spaces/${other.subdomain}/pages`,
      body: JSON.stringify(bodyOf(row)),
      headers: { ...headers, Authorization: `Bearer ${await other.key('pages')}` },
    }
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await send(call, {}, limited)).status)
    expect(statuses).toEqual([201, 201, 429])
  })
})

/** Another process of the service, which shares the database. */
const startAnother = async (patience: number): Promise<TestService> => {
  const { location } = service.core.database
  if (!('url' in location)) throw new Error('The test database has a URL')
  const another = await startTestService({ databaseUrl: location.url })
  onTestFinished(() => another.stop())
  another.core.retryPatience = patience
  return another
}

/** Begins a call that cannot complete, because its answer cannot be kept. `release` lets it complete. */
const beginCall = async (call: Prepared) => {
  const { database } = service.core
  const holder = await holdLocks(service, tx => sql`lock table kept_answers in exclusive mode`.execute(tx))
  onTestFinished(() => holder.rollback())
  const first = send(call)
  await waitForBlocked(service, 1)
  const kill = () =>
    sql`select pg_terminate_backend(pid) from pg_locks
      where relation = 'kept_answers'::regclass and not granted`.execute(database)
  return { first, release: () => holder.rollback(), kill }
}

const connectionsInUse = ({ core: { database } }: TestService) =>
  database.pool.totalCount - database.pool.idleCount + database.pool.waitingCount

const withPatience = (patience: number) => {
  const { core } = service
  const before = core.retryPatience
  core.retryPatience = patience
  onTestFinished(() => {
    core.retryPatience = before
  })
}

describe.each([pages, comments])('a call while the first one runs: $title', row => {
  test('is refused when it has waited long enough', async () => {
    const call = await prepare(row)
    const { first, release } = await beginCall(call)
    withPatience(50)
    const second = await send(call)
    expect([second.status, second.body.code]).toEqual([409, 'idempotency_in_progress'])
    await release()
    expect(answerOf(await send(call))).toEqual(answerOf(await first))
  })

  test('waits without a connection to the database', async () => {
    const call = await prepare(row)
    withPatience(600_000)
    const { first, release } = await beginCall(call)
    const counted = async () => {
      const { headers } = await request(service.root, 'GET', reading, { headers: call.headers })
      return Number(headers['ratelimit-remaining'])
    }
    const { api } = row.operation.meta
    const reading = api === 'space' ? `/v1/spaces/${space.subdomain}` : '/v1/me'
    const remaining = await counted()
    const others = Array.from({ length: 20 }, () => send(call))
    await expect.poll(async () => remaining - (await counted())).toBeGreaterThan(20)
    // One is of the first call, and one of this test. Writes in the background use others for a moment.
    await expect.poll(() => connectionsInUse(service)).toBe(2)
    await release()
    const answers = await Promise.all([first, ...others])
    expect(new Set(answers.map(answer => JSON.stringify(answerOf(answer)))).size).toBe(1)
  })
})

// Writes to a space or account also wait for each other, so calls of real processes are tested in
// test/process/killed-writes.test.ts.
describe('a call while the first one runs in another process', () => {
  test('waits without a connection, and repeats the answer', async () => {
    const call = await prepare(comments)
    const { first, release } = await beginCall(call)
    const impatient = await startAnother(0)
    expect((await send(call, {}, impatient)).body.code).toBe('idempotency_in_progress')
    await expect.poll(() => connectionsInUse(impatient)).toBe(0)
    impatient.core.retryPatience = 600_000
    const second = send(call, {}, impatient)
    await release()
    const answer = await second
    expect(answerOf(answer)).toEqual(answerOf(await first))
    expect(isReplayed(answer)).toBe(true)
  })

  test('runs itself when the first one dies', async () => {
    const call = await prepare(comments)
    const before = await countRows(comments)
    const { first, release, kill } = await beginCall(call)
    const another = await startAnother(600_000)
    const second = send(call, {}, another)
    await kill()
    expect((await first).status).toBe(503)
    await release()
    const answer = await second
    expect([answer.status, isReplayed(answer)]).toEqual([201, false])
    expect(await countRows(comments)).toBe(before + 1)
  })
})

describe('kept answers', () => {
  const keptBy = async (id: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from kept_answers where ${id} in (key_id, token_id)`.execute(
      service.core.database,
    )
    return rows[0]!.n
  }

  const createWith = async (secret: string, path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': uniqueName('key'),
    }
    const { status } = await request(service.root, 'POST', path, { headers, body: JSON.stringify(body) })
    expect(status).toBe(201)
  }

  /** Creates a space and a key that has kept answers. */
  const keyWithAnswers = async (count: number) => {
    const { owner, subdomain } = await service.createSpace()
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'x', scopes: ['pages'] })
    for (let n = 0; n < count; n++)
      await createWith(secret, `/v1/spaces/${subdomain}/pages`, { slug: `page-${n}`, html: 'x' })
    expect(await keptBy(id)).toBe(count)
    return { owner, subdomain, id }
  }

  test('have neither the key nor the request', async () => {
    const call = await prepare(pages, 'my-secret-order-number')
    await send({ ...call, body: JSON.stringify({ slug: uniqueName('page'), html: 'hidden text' }) })
    const { rows } = await sql<object>`select kept_answers::text from kept_answers`.execute(
      service.core.database,
    )
    expect(JSON.stringify(rows)).not.toMatch(/my-secret-order-number|hidden text/)
  })

  test('are deleted with their key, space or account', async () => {
    const revoked = await keyWithAnswers(1)
    await revoked.owner.keys.revoke({ subdomain: revoked.subdomain, key_id: revoked.id })
    expect(await keptBy(revoked.id)).toBe(0)

    const deleted = await keyWithAnswers(1)
    await deleted.owner.spaces.delete({ subdomain: deleted.subdomain, confirm: deleted.subdomain })
    expect(await keptBy(deleted.id)).toBe(0)

    const someone = await service.signUp()
    const { id, secret } = await someone.tokens.issue({ label: 'x', scopes: ['posts'] })
    await createWith(secret, '/v1/posts', { html: 'x' })
    expect(await keptBy(id)).toBe(1)
    await someone.accounts.delete({ confirm: someone.handle })
    expect(await keptBy(id)).toBe(0)
  })

  test(`are deleted after ${limits.keptAnswerHours} hours`, async () => {
    const { id } = await keyWithAnswers(1)
    const now = Date.now()
    const day = limits.keptAnswerHours * 3_600_000
    await trimAnswers(service.core.database, new Date(now + day - 60_000))
    expect(await keptBy(id)).toBe(1)
    await trimAnswers(service.core.database, new Date(now + day + 60_000))
    expect(await keptBy(id)).toBe(0)
  })

  test('beyond the limit of a credential are deleted, the oldest first', async () => {
    const { id } = await keyWithAnswers(3)
    const other = await keyWithAnswers(2)
    const answers = () =>
      service.core.database
        .selectFrom('kept_answers')
        .where('key_id', '=', id)
        .orderBy('created_at')
        .select('digest')
        .execute()
    const [, ...newest] = await answers()
    await trimAnswers(service.core.database, new Date(), 2)
    expect(await answers()).toEqual(newest)
    expect(await keptBy(other.id)).toBe(2)
  })
})
