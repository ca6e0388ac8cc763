import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { trimAudit } from '../../routers/accounts/trim.ts'
import { useTestService } from '../support/test-service.ts'
import { useAuditedSpace } from './support/audited-space.ts'

const service = useTestService()
const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const { space, ofSpace } = useAuditedSpace(service)

test('events are deleted after a year', async () => {
  await space.owner.keys.issue({ subdomain: space.subdomain, label: 'old', scopes: ['pages'] })
  await trimAudit(service.core.database, new Date(Date.now() + 364 * DAY))
  expect((await ofSpace()).length).toBeGreaterThan(0)
  await trimAudit(service.core.database, new Date(Date.now() + 366 * DAY))
  expect(await ofSpace()).toEqual([])
})

describe('trimming the audit log', () => {
  const reader = () => space.apiWith('files')
  const issue = (label: string) =>
    space.owner.keys.issue({ subdomain: space.subdomain, label, scopes: ['pages'] })
  /** The start of the current hour. It stays the same if the next hour begins while the test runs. */
  const hour = new Date(Math.floor(Date.now() / HOUR) * HOUR)
  /** Sets the time of all events to `hour`, then trims the log to the newest `kept` events per kind and owner. */
  const shorten = async (kept: number) => {
    await sql`update audit_events set at = ${hour}`.execute(service.core.database)
    await trimAudit(service.core.database, hour, kept)
  }
  const shown = async () =>
    (await ofSpace('credentials')).map(({ kind, label, count, handle }) => ({ kind, label, count, handle }))

  test('keeps the newest events of each kind, and counts the others per hour and person', async () => {
    const other = await space.join()
    const { id: key_id } = await other.keys.issue({
      subdomain: space.subdomain,
      label: 'of another',
      scopes: ['pages'],
    })
    for (const label of ['one', 'two', 'three', 'four']) await issue(label)
    await space.owner.keys.revoke({ subdomain: space.subdomain, key_id })
    await shorten(2)
    const { handle } = space.owner
    const newest = [
      { kind: 'key_revoked', label: 'of another', count: 1, handle },
      { kind: 'key_issued', label: 'four', count: 1, handle },
      { kind: 'key_issued', label: 'three', count: 1, handle },
    ]
    // The owner issued three older keys: the first key of the space, `one` and `two`.
    const merged = { kind: 'key_issued', label: null, count: 3, handle }
    const ofOther = { ...merged, count: 1, handle: other.handle }
    expect(await shown()).toEqual([...newest, merged, ofOther])
    await issue('five')
    await shorten(2)
    expect(await shown()).toEqual([
      { ...newest[1], label: 'five' },
      newest[0],
      newest[1],
      { ...merged, count: 4 },
      ofOther,
    ])
  })

  test('keeps the events about keys, even if the log also has many events about refused calls', async () => {
    const key = await reader()
    await issue('kept')
    const before = await shown()
    for (const path of ['/pages', '/data', '/parts']) {
      await key.get(path)
      await service.core.countedEvents.flush()
      // Store each refusal as a separate event, as if it had happened in another hour.
      await sql`update audit_events set bucket = position::text where kind = 'refused'`.execute(
        service.core.database,
      )
    }
    const refusals = await ofSpace('refusals')
    expect(refusals).toHaveLength(3)
    await trimAudit(service.core.database, new Date(), before.length)
    expect(await shown()).toEqual(before)
    await trimAudit(service.core.database, new Date(), 2)
    const ids = (await ofSpace('refusals')).map(({ id }) => id)
    expect(ids).toEqual(refusals.slice(0, 2).map(({ id }) => id))
  })

  test('deletes no events of one owner if only another owner has too many events', async () => {
    const other = await service.createSpace()
    await space.owner.keys.issue({ subdomain: space.subdomain, label: 'mine', scopes: ['pages'] })
    const before = (await other.owner.audit.ofSpace({ subdomain: other.subdomain })).events
    await trimAudit(service.core.database, new Date(), before.length)
    expect((await other.owner.audit.ofSpace({ subdomain: other.subdomain })).events).toEqual(before)
  })
})
