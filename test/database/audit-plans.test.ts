import type { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortenAuditLogs } from '../../db/queries/audit.ts'
import { explain, nodesOf, plansOf, rowsRead } from '../support/plans.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import { recordStatements } from '../support/statements.ts'
import type { TestSpace } from '../support/test-service.ts'

const NOW = Date.now()
const EVENTS = 100_000
// With fewer accounts, PostgreSQL would not use an index.
const ACCOUNTS = 20_000
/** Number of events of each space and of the account, divided evenly among four kinds. */
const OWN = 20_000

const quiet = useQuietService()
let client: Client
let space: TestSpace

beforeAll(async () => {
  client = quiet.client
  const { service } = quiet
  space = await service.createSpace()
  const others = await Promise.all(Array.from({ length: EVENTS / OWN - 2 }, () => service.createSpace()))
  const spaces = [space, ...others].map(({ subdomain }) => subdomain)
  const insert = (owner: string, from: string, values: unknown[]) =>
    client.query(
      `insert into audit_events (at, ${owner}, kind, actor, actor_label, details, count, bucket)
       select '${new Date(NOW).toISOString()}'::timestamptz - (${OWN} - n) * interval '1 minute', owner.id,
         (array['key_issued', 'refused', 'restored', 'signed_in'])[n % 4 + 1], account.id, 'label ' || n % 500,
         jsonb_build_object('label', 'key ' || n % 700), 1, case n % 2 when 0 then owner.id || n end
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

/** Returns the time that is `minutes` before `NOW`. Each log has one event per minute, and the newest is at `NOW`. */
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
/** Rows read for one page: its events, one more to see whether there is another page, and an account for each. */
const PAGE = 2 * 51

const filters: [string, number, () => object][] = [
  ['all events', PAGE, () => ({})],
  ['events of a topic', PAGE * 4, () => ({ topic: 'credentials' })],
  ['events by a person', PAGE, () => ({ who: space.owner.handle })],
  ['events before a cursor', PAGE, () => ({ cursor: '40000' })],
  // The index on times returns the events of all five owners in this period.
  ['events since half an hour ago', 31 * 5 + PAGE, () => ({ since: minutesAgo(30) })],
  ['events until a time long ago', 101 * 5 + PAGE, () => ({ until: minutesAgo(OWN - 100) })],
  ['events of half an hour', 31 * 5 + PAGE, () => ({ since: minutesAgo(10_030), until: minutesAgo(10_000) })],
  // The filter reads every event of this log and the account of each event, but no other logs.
  ['events by a key', OWN * 2 + PAGE, () => ({ who: 'label 123' })],
  ['events by an unknown name', OWN * 2 + PAGE, () => ({ who: 'nobody' })],
  ['events of a topic without events', OWN + PAGE, () => ({ topic: 'participants' })],
]
const logs: [string, (filter: object) => Promise<unknown>][] = [
  ['a space', filter => space.owner.audit.ofSpace({ subdomain: space.subdomain, ...filter })],
  ['an account', filter => space.owner.audit.ofAccount(filter)],
]

describe.each(logs)('among 100,000 events, the audit log of %s', (_owner, list) => {
  test.each(filters)('uses an index and reads few rows to list %s', async (_name, most, filter) => {
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

describe('among 100,000 events', () => {
  test('shortenAuditLogs reads only the audit logs that have a new event', async () => {
    const later = new Date(NOW + 60 * 60_000)
    await client.query(
      `insert into audit_events (at, space_id, kind, details, count)
       select $2, id, 'exported', '{}', 1 from spaces where subdomain = $1`,
      [space.subdomain, later.toISOString()],
    )
    const excess = 200
    // Maximum number of events to delete. All four kinds together have more events to delete: 4 * `excess`.
    const most = 3 * excess
    const { result, statements } = await recorded(() =>
      shortenAuditLogs(quiet.service.core.database, OWN / 4 - excess, later, most),
    )
    expect(result).toBe(most)
    expect(statements).toHaveLength(2)
    // With so few owners, reading the whole table costs hardly more than using the index, so PostgreSQL may choose
    // either. Make it use the index.
    await client.query('set enable_seqscan = off')
    const plans = await plansOf(client, statements)
    await client.query('reset enable_seqscan')
    // Each event of the space counts as two rows: one from the table, and one from the window function that numbers
    // it. Each event to delete adds a few more.
    for (const plan of plans) expect(rowsRead(plan)).toBeLessThanOrEqual(2 * OWN + 6 * most)
  })
})
