import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, PASSWORD, type TestAccount } from './support/account.ts'
import { attack, type Outcome, scale, type Target } from './support/attack.ts'
import { addBystander, type Bystander, expectMemoryBelow, MEMORY_AFTER } from './support/bystander.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

let service: ServiceProcess
let bystander: Bystander
let attacker: TestAccount

beforeAll(async () => {
  service = await startProgram({
    RENDER_PROCESSES: '2',
    // A high rate limit, so that attacks with a credential reach the limits that are checked later.
    CALLS_PER_MINUTE: '1000000',
    MAX_SPACES: '50',
    POSTS_PER_MINUTE: '100',
    COMMENTS_PER_MINUTE: '100',
    // Enough for two of the attack's drafts, so that converting the accepted drafts takes only seconds.
    MARKDOWN_QUEUE_PER_ACCOUNT_MIB: '2',
  })
  bystander = await addBystander(service)
  attacker = await createAccount(service.port, 'attacker')
})
afterAll(() => service.remove())

/** Rate limits count calls in windows of one minute. The last attack ran in at most this many windows. */
let windows = 1

/** Runs an attack while the bystander uses the service. Returns the outcome of the attack. */
const underAttack = async (name: string, target: Partial<Target> = {}): Promise<Outcome> => {
  const since = performance.now()
  const { result, report } = await bystander.during(() =>
    attack(name, { port: service.port, subdomain: attacker.subdomain, headers: attacker.key, ...target }),
  )
  windows = 1 + Math.floor((performance.now() - since) / 60_000)
  process.stdout.write(`${name}: ${JSON.stringify(result)}\n`)
  report.check(name)
  await expectMemoryBelow(service, MEMORY_AFTER)
  return result
}

/**
 * Errors that a client gets if the service closes the connection while the client still sends a large body. The service
 * closes the connection ten seconds after refusing the request. On a slow machine, sending the body can take longer.
 */
const CUT_OFF = ['ECONNRESET', 'EPIPE', 'incomplete']

/** Expects that an attack got only these statuses and errors. */
const expectOnly = (outcome: Outcome, allowed: string[]) =>
  expect(allowed).toEqual(expect.arrayContaining(Object.keys(outcome)))

const hostOf = (subdomain: string) => `${subdomain}.sites.localhost:${service.port}`

test('large batches without a session are refused, and their calls are counted by address', async () => {
  const outcome = await underAttack('trpc-batches')
  expectOnly(outcome, ['200', '400', '429'])
  expect(outcome['200'] ?? 0).toBeLessThanOrEqual(600 * windows)
})

test('deeply nested bodies are refused before they are parsed', async () => {
  expectOnly(await underAttack('nested-bodies'), ['400', '413', '429', '503', ...CUT_OFF])
})

test('request bodies that never end do not delay other callers', async () => {
  const outcome = await underAttack('held-bodies', { facts: { seconds: '5' } })
  expectOnly(outcome, ['413', '429', '503', 'open', 'closed'])
})

test('thousands of requests that are sent without waiting for responses do not delay others', async () => {
  const outcome = await underAttack('pipelined', { facts: { seconds: '5' } })
  expectOnly(outcome, ['200', 'open'])
  // The requests that nobody waits for any more are forgotten.
  expect((await call(service.port, { path: '/healthz', timeout: 60_000 })).status).toBe(200)
})

test('clients that leave before they are answered do not delay others', async () => {
  expect(await underAttack('leaving-clients')).toEqual({ left: 1_000 * scale })
})

test('malformed requests are refused', async () => {
  expectOnly(await underAttack('malformed'), ['400', '401', '404'])
})

test('resources can be created only up to the limits', async () => {
  const outcome = await underAttack('creations', {
    headers: attacker.token,
    facts: { cookie: attacker.cookie },
  })
  expectOnly(outcome, [
    'spaces 200',
    'spaces 409',
    'spaces 429',
    'posts 201',
    'posts 409',
    'posts 429',
    'comments 201',
    'comments 409',
    'comments 429',
  ])
  expect(outcome['spaces 200']).toBeLessThanOrEqual(50)
  expect(outcome['posts 201']).toBeLessThanOrEqual(100 * windows)
  expect(outcome['comments 201']).toBeLessThanOrEqual(100 * windows)
})

test('lists of thousands of pages do not delay others', async () => {
  await service.query(
    `begin; set local session_replication_role = replica;
     insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
     select spaces.id, 'many' || n, 'page-' || n, 'static', '<p>x</p>', '{}', now(), now()
     from spaces, generate_series(1, 20000) n where subdomain = '${attacker.subdomain}';
     commit`,
  )
  expectOnly(await underAttack('long-lists', { facts: { host: hostOf(attacker.subdomain) } }), ['200', '503'])
})

test('long Markdown drafts of one account do not delay others', async () => {
  const { cookie } = await createAccount(service.port, 'writer')
  const outcome = await underAttack('markdown-drafts', { facts: { cookie } })
  expectOnly(outcome, ['200', '429', '503'])
})

test('parallel uploads and writes to one space do not delay others', async () => {
  const outcome = await underAttack('uploads')
  expectOnly(outcome, [
    'upload 201',
    'upload 409',
    'upload 413',
    'upload 422',
    'upload 429',
    'upload 503',
    ...CUT_OFF.map(error => `upload ${error}`),
    'write 200',
    'write 201',
    'write 503',
    // At a larger scale, the attack opens more connections than an address may have, and the service closes the excess.
    ...(scale > 1 ? ['write ECONNRESET', 'write EPIPE'] : []),
  ])
})

test('wrong passwords do not lock an account out', async () => {
  const { handle } = await createAccount(service.port, 'victim')
  expectOnly(await underAttack('wrong-passwords', { facts: { handle } }), ['401', '429'])
  const body = JSON.stringify({ handle, password: PASSWORD })
  const { status } = await call(service.port, { path: '/trpc/sessions.create', body, from: '127.0.3.1' })
  expect(status).toBe(200)
})

test('no attack has caused an internal error', () => {
  expect(service.log()).not.toContain('"msg":"fault"')
})
