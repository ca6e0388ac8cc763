import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { limits } from '../../routers/core/rules.ts'
import { copyDatabase } from '../support/database.ts'
import { explain, nodesOf, rowsRead } from '../support/plans.ts'
import { recordStatements } from '../support/statements.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { withoutIntervals } from '../support/without-intervals.ts'

const NOW = Date.now()
const EVENTS = 100_000
// So many that PostgreSQL prefers an index.
const ACCOUNTS = 20_000
/** A space and an account keep as many events that are counted, and as many others. */
const OWN = 2 * limits.auditEvents

let service: TestService
let client: Client
let space: TestSpace

beforeAll(async () => {
  const url = await copyDatabase(inject('database'))
  client = new Client({ connectionString: url })
  await client.connect()
  service = await withoutIntervals(() => startTestService({ databaseUrl: url }))
  space = await service.createSpace()
  const others = await Promise.all(Array.from({ length: EVENTS / OWN - 2 }, () => service.createSpace()))
  const spaces = [space, ...others].map(({ subdomain }) => subdomain)
  const insert = (owner: string, from: string, values: unknown[]) =>
    client.query(
      `insert into audit_events (at, ${owner}, kind, actor, actor_label, details, count)
       select '${new Date(NOW).toISOString()}'::timestamptz - (${OWN} - n) * interval '1 minute', owner.id,
         (array['key_issued', 'refused', 'restored', 'signed_in'])[n % 4 + 1], account.id, 'label ' || n % 500,
         jsonb_build_object('label', 'key ' || n % 700), 1
       from generate_series(1, ${OWN}) as n, ${from} as owner, accounts as account
       where account.handle = $1 and owner.${owner === 'space_id' ? 'subdomain = any($2)' : 'handle = $1'}
       order by n`,
      values,
    )
  const { handle } = space.owner
  await insert('space_id', 'spaces', [handle, spaces])
  await insert('account_id', 'accounts', [handle])
  await client.query(
    `insert into accounts
     select (jsonb_populate_record(account, jsonb_build_object('id', 'other-' || n, 'handle', 'other-' || n))).*
     from accounts as account, generate_series(1, ${ACCOUNTS}) as n where handle = $1`,
    [handle],
  )
  await client.query('analyze')
})

afterAll(async () => {
  await client.end()
  await service.stop()
})

/** A time before the last event of each log; the events of a log are a minute apart. */
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
/** Events on a page, one more to see whether there is another page, and their accounts. */
const PAGE = 2 * 51

const filters: [string, number, () => object][] = [
  ['all', PAGE, () => ({})],
  ['those of a topic', PAGE * 4, () => ({ topic: 'credentials' })],
  ['those by a person', PAGE, () => ({ who: space.owner.handle })],
  ['those before a cursor', PAGE, () => ({ cursor: '40000' })],
  // The events of all five owners in this time.
  ['those since half an hour ago', 31 * 5 + PAGE, () => ({ since: minutesAgo(30) })],
  ['those until long ago', 101 * 5 + PAGE, () => ({ until: minutesAgo(OWN - 100) })],
  ['those in half an hour', 31 * 5 + PAGE, () => ({ since: minutesAgo(10_030), until: minutesAgo(10_000) })],
  // A text is compared with every event of the owner and its account, but with no others.
  ['those of a key', OWN * 2 + PAGE, () => ({ who: 'label 123' })],
  ['none', OWN * 2 + PAGE, () => ({ who: 'nobody' })],
  ['none of a topic', OWN + PAGE, () => ({ topic: 'participants' })],
]
const logs: [string, (filter: object) => Promise<unknown>][] = [
  ['a space', filter => space.owner.audit.ofSpace({ subdomain: space.subdomain, ...filter })],
  ['an account', filter => space.owner.audit.ofAccount(filter)],
]

describe.each(logs)('of 100,000 events, the audit log of %s', (_owner, list) => {
  test.each(filters)('lists %s with an index and a limited number of rows', async (_name, most, filter) => {
    const end = recordStatements()
    await list(filter()).catch((error: unknown) => {
      end()
      throw error
    })
    const listing = end().statements.filter(({ text }) => text.includes('audit_events'))
    expect(listing).toHaveLength(1)
    const plan = await explain(client, listing[0]!)
    expect(nodesOf(plan).filter(node => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(rowsRead(plan)).toBeLessThanOrEqual(most)
  })
})
