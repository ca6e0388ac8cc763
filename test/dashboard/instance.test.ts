import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeVisits } from '../../routers/visits/store.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['chief'] })
let chief: Person
let space: TestSpace

const DAY = 24 * 60 * 60_000
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

const visit = async (age: number, { views, failed }: { views: number; failed: number }) => {
  const { database } = service.core
  const { rows } = await sql<{ id: string }>`
    select id from space_names where subdomain = ${space.subdomain}`.execute(database)
  const names = failed > 0 ? [{ kind: 'failed' as const, name: '/broken', count: failed }] : []
  await writeVisits(database, [
    { spaceId: rows[0]!.id, day: dayBefore(age), views, failed, notFound: 1, names, hours: [], visitors: [] },
  ])
}

beforeAll(async () => {
  chief = await service.signUp('Chief')
  space = await service.createSpace('busy')
})

describe('the overview for operators', () => {
  test('counts accounts, spaces, reports and domains', async () => {
    const before = (await chief.instance.overview()).counts
    const other = await service.signUp()
    const another = await service.createSpace()
    await chief.suspensions.add({ handle: other.handle, reason: 'Spam' })
    const { id } = await another.owner.posts.create({ html: 'x' })
    await space.owner.reports.create({ post_id: id, reason: 'Spam' })
    await another.owner.domains.add({ subdomain: another.subdomain, domain: 'bakery.example' })
    const { counts } = await chief.instance.overview()
    expect(counts).toEqual({
      accounts: before.accounts + 2,
      suspended: before.suspended + 1,
      spaces: before.spaces + 1,
      open_reports: before.open_reports + 1,
      verified_domains: 0,
      unverified_domains: 2,
    })
  })

  test('has the visits of all sites and the pages that fail, by day', async () => {
    await visit(20, { views: 1000, failed: 9 })
    await visit(3, { views: 30, failed: 3 })
    await visit(0, { views: 7, failed: 2 })
    const { days, busiest, failing_pages } = await chief.instance.overview()
    expect(days).toMatchObject([
      { day: dayBefore(3), views: 30, not_found: 1, failed_visits: 3 },
      { day: dayBefore(0), views: 7, not_found: 1, failed_visits: 2 },
    ])
    const url = 'http://busy.sites.localhost'
    expect(busiest).toEqual([{ subdomain: 'busy', url, views: 7 }])
    expect(failing_pages).toEqual([{ subdomain: 'busy', path: '/broken', url: `${url}/broken`, requests: 2 }])
  })

  test('has the calls of all keys and tokens by result', async () => {
    await space.api.get('/pages')
    await space.api.get('/pages/none')
    await service.core.usage.flush()
    const today = (await chief.instance.overview()).days.at(-1)
    expect(today).toMatchObject({ day: dayBefore(0), failed_calls: 0, limited_calls: 0 })
    expect(today!.calls).toBeGreaterThanOrEqual(2)
  })

  test('lists the domains that do not lead here anymore', async () => {
    const since = new Date('2026-11-20T00:00:00Z')
    await sql`update domains set verified_at = now(), failing_since = ${since} where name = 'bakery.example'`.execute(
      service.core.database,
    )
    const { failing_domains, counts } = await chief.instance.overview()
    expect(failing_domains).toMatchObject([{ domain: 'bakery.example', since: since.toISOString() }])
    expect(counts.verified_domains).toBe(1)
  })

  test('has the sizes of the database and the state of the process', async () => {
    const { storage, process: state } = await chief.instance.overview()
    expect(storage.database).toBeGreaterThan(storage.files + storage.history)
    expect(state).toMatchObject({ processes: 1, free_disk: null, backups: null, failed_work: [] })
    expect(state.memory).toBeGreaterThan(0)
  })

  test('names work in the background that has failed', async () => {
    const fail = service.core.onFailure('Could not delete old drafts')
    fail(new Error('first'))
    fail(new Error('second'))
    const { process: state } = await chief.instance.overview()
    expect(state.failed_work).toMatchObject([{ what: 'Could not delete old drafts', times: 2 }])
    expect(service.log.filter(({ msg }) => msg === 'Could not delete old drafts')).toHaveLength(2)
  })
})

test('the checks are those of the doctor; several operators share one', async () => {
  const [one, other] = await Promise.all([chief.instance.check(), chief.instance.check()])
  expect(other).toEqual(one)
  const names = one.findings.map(({ check }) => check)
  expect(names).toEqual(expect.arrayContaining(['database', 'migrations', 'main site']))
  // The test has no proxy at the address of its settings.
  expect(one.findings.find(({ check }) => check === 'main site')).toMatchObject({
    state: 'fault',
    fix: expect.stringContaining('Start the service'),
  })
})
