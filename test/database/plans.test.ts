import { request } from 'node:http'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { type Seed, seed } from '../bench/requests/seed.ts'
import { explain, isPlanned, nodesOf, rowsRead } from '../support/plans.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { type Recorded, recordStatements } from '../support/statements.ts'

// With much less data, PostgreSQL would not use the indexes.
const SIZE = { spaces: 1_000, records: 10_000, posts: 2_000 }

let seeded: Seed
const quiet = useQuietService(async url => {
  seeded = await seed(url, SIZE)
  await addKeptAnswers(url)
})

const addKeptAnswers = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into kept_answers (digest, key_id, request, answer, created_at)
      select sha256(n::text::bytea), (select id from space_keys limit 1), sha256('x'), '{}', now()
      from generate_series(1, 2000) as n;
    analyze kept_answers`)
  await client.end()
}

interface Sent {
  method?: string
  path: string
  host?: string
  headers?: Record<string, string>
  body?: object
}

/** Sends the request twice and records the second one, whose statements are already prepared. */
const record = async (sent: () => Sent): Promise<Recorded> => {
  await send(sent())
  // The service writes these with a delay. Write them now, so that no recording contains these writes.
  const { lastUsed, usage, visits } = quiet.service.core
  await Promise.all([lastUsed.flush(), usage.flush(), visits?.flush()])
  const end = recordStatements()
  await send(sent()).catch((error: unknown) => {
    end()
    throw error
  })
  return end()
}

const send = ({ method = 'GET', path, host, headers = {}, body }: Sent): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const all = {
      ...headers,
      ...(host === undefined ? {} : { host }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    }
    request(
      { host: '127.0.0.1', port: quiet.service.port, method, path, headers: all, agent: false },
      response => {
        response.resume().on('end', () => {
          if (response.statusCode! < 300) resolve()
          else reject(new Error(`${method} ${path} returned ${response.statusCode}`))
        })
      },
    )
      .on('error', reject)
      .end(text)
  })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const inSpace = (path: string, of: (seed: Seed) => Seed['full'] = ({ spaces }) => spaces[5]!): Sent => {
  const { subdomain, key, pageId } = of(seeded)
  return { path: `/v1/spaces/${subdomain}${path.replace('{page}', pageId)}`, headers: bearer(key) }
}
const inDashboard = (procedure: string, input?: object): Sent => ({
  path: `/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
  headers: { cookie: `session=${seeded.session}` },
})
const onSite = (path: string): Sent => ({ path, host: `${seeded.full.subdomain}.sites.localhost` })

const withIdempotencyKey = (key: string): Sent => {
  const { path, headers } = inSpace('/pages')
  return { path, headers: { ...headers, 'idempotency-key': key } }
}

/** A request, and the maximum number of statements, round trips and rows that it may cause. */
type Row = [name: string, sent: () => Sent, most: { statements: number; roundTrips: number; rows: number }]

const READS: Row[] = [
  ['GET page', () => inSpace('/pages/{page}'), { statements: 2, roundTrips: 1, rows: 5 }],
  [
    'GET pages, 100',
    () => inSpace('/pages', ({ full }) => full),
    { statements: 2, roundTrips: 1, rows: 104 },
  ],
  ['GET record', () => inSpace('/data/record-1'), { statements: 2, roundTrips: 1, rows: 5 }],
  ['GET records, 10', () => inSpace('/data'), { statements: 2, roundTrips: 1, rows: 14 }],
  ['GET parts, 2', () => inSpace('/parts'), { statements: 2, roundTrips: 1, rows: 6 }],
  ['GET files', () => inSpace('/files'), { statements: 2, roundTrips: 1, rows: 8 }],
  [
    'tool get_page',
    () => {
      const { key, pageId } = seeded.spaces[5]!
      const params = { name: 'get_page', arguments: { page_id: pageId } }
      return {
        method: 'POST',
        path: '/mcp',
        headers: bearer(key),
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      }
    },
    { statements: 2, roundTrips: 1, rows: 5 },
  ],
  [
    'GET post',
    () => ({ path: `/v1/posts/${seeded.postId}`, headers: bearer(seeded.token) }),
    // Includes the post, its author, ten likes and ten comments.
    { statements: 2, roundTrips: 1, rows: 26 },
  ],
  ['session of the dashboard', () => inDashboard('accounts.me'), { statements: 1, roundTrips: 1, rows: 4 }],
  // Counts the names and texts of the space in each step of the statement that searches them.
  [
    'search in the texts of a space',
    () => inDashboard('spaces.findTexts', { subdomain: seeded.spaces[5]!.subdomain, text: 'medlar' }),
    { statements: 3, roundTrips: 3, rows: 90 },
  ],
  [
    'search in the texts of posts',
    () => inDashboard('writing.findTexts', { text: 'medlar' }),
    { statements: 2, roundTrips: 2, rows: 10 },
  ],
  // Twenty posts, and one more to see whether there is another page.
  ['timeline', () => ({ path: '/' }), { statements: 1, roundTrips: 1, rows: 21 * 25 }],
  ['static page', () => onSite('/page-0'), { statements: 1, roundTrips: 1, rows: 3 }],
  ['scripted page', () => onSite('/more-60'), { statements: 1, roundTrips: 1, rows: 3 }],
  [
    'origin of a scripted page',
    () => ({ path: '/', host: `${seeded.scriptedPageId}.pages.localhost` }),
    { statements: 1, roundTrips: 1, rows: 3 },
  ],
  [
    'file of 64 KiB',
    () => ({ path: '/', host: `${seeded.files.small}.files.localhost` }),
    { statements: 2, roundTrips: 2, rows: 2 },
  ],
  [
    'POST page that is repeated',
    () => ({ ...withIdempotencyKey('repeated'), method: 'POST', body: { slug: 'repeated', html: 'x' } }),
    { statements: 2, roundTrips: 2, rows: 6 },
  ],
]

let number = 0
/** One of the statements of each write checks the caller once more. It takes no round trip of its own. */
const WRITES: Row[] = [
  [
    'PUT record',
    () => ({ ...inSpace('/data/record-1'), method: 'PUT', body: { value: ++number } }),
    { statements: 7, roundTrips: 3, rows: 40 },
  ],
  [
    'POST page',
    () => ({ ...inSpace('/pages'), method: 'POST', body: { slug: `new-${++number}`, html: 'x' } }),
    { statements: 8, roundTrips: 3, rows: 20 },
  ],
  // Looks once for the answer to an earlier call. The rest is sent together with the statements of the write.
  [
    'POST page with an Idempotency-Key',
    () => ({
      ...withIdempotencyKey(`key-${++number}`),
      method: 'POST',
      body: { slug: `keyed-${number}`, html: 'x' },
    }),
    { statements: 11, roundTrips: 4, rows: 21 },
  ],
  [
    'POST part',
    () => ({ ...inSpace('/parts'), method: 'POST', body: { name: `part-${++number}`, html: 'x' } }),
    { statements: 7, roundTrips: 3, rows: 20 },
  ],
  [
    'POST file',
    () => ({
      ...inSpace('/files'),
      method: 'POST',
      body: { name: `${++number}.txt`, content: 'x', encoding: 'text' },
    }),
    { statements: 9, roundTrips: 3, rows: 20 },
  ],
  [
    'POST post',
    () => ({
      path: '/v1/posts',
      method: 'POST',
      headers: bearer(seeded.token),
      body: { html: '<p>x</p>' },
    }),
    { statements: 7, roundTrips: 3, rows: 10 },
  ],
]

test.each([...READS, ...WRITES])('%s uses indexes and few round trips', async (name, sent, most) => {
  const { statements, roundTrips } = await record(sent)
  // This fails if the recording misses the statements of the pool.
  expect(statements.at(-1)!.text.startsWith('commit')).toBe(WRITES.some(([write]) => write === name))
  const planned = statements.filter(isPlanned)
  let rows = 0
  for (const statement of planned) {
    const plan = await explain(quiet.client, statement)
    const scanned = nodesOf(plan).filter(node => node['Node Type'] === 'Seq Scan')
    expect(scanned.map(node => `${node['Relation Name']} in ${statement.text}`)).toEqual([])
    rows += rowsRead(plan)
  }
  expect({ statements: statements.length, roundTrips, rows }).toSatisfy(
    (used: typeof most) =>
      used.statements <= most.statements && used.roundTrips <= most.roundTrips && used.rows <= most.rows,
    `at most ${JSON.stringify(most)}`,
  )
})

test('PostgreSQL plans the timeline once, not for each visitor', async () => {
  const { statements } = await record(() => ({ path: '/' }))
  const { text, values } = statements.find(isPlanned)!
  // PostgreSQL decides after five executions whether it can keep a plan.
  for (let visitor = 0; visitor < 7; visitor += 1)
    await quiet.client.query({ name: 'timeline', text, values })
  const { rows } = await quiet.client.query<{ kept: boolean }>(
    `select generic_plans > 0 as kept from pg_prepared_statements where name = 'timeline'`,
  )
  expect(rows).toEqual([{ kept: true }])
})
