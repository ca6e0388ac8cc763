import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newSite, type TestSite } from '../delivery/support/site.ts'
import { readMetric } from '../faults/support/service.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { type Replication, startReplication } from './support/standby.ts'

/** Size of a file, in bytes. The service keeps only smaller files in memory, so each request reads this one again. */
const LARGE = 200_000

let servers: Replication
let service: TestService
let site: TestSite

const start = (databaseReplicaUrl: string, databaseUrl = servers.primary.url) =>
  startTestService({ databaseUrl, databaseReplicaUrl, metricsPort: 0 })

beforeAll(async () => {
  servers = await startReplication()
  service = await start(servers.standby.url)
  site = await newSite(service)
})
afterAll(async () => {
  await service.stop()
  await servers.remove()
})

const readsThatWere = (result: 'answered' | 'behind' | 'failed', of = service) =>
  readMetric(of.metricsPort!, `space_site_replica_reads_total\\{result="${result}"\\}`)

const isUsed = async () => (await readMetric(service.metricsPort!, 'space_site_replica_used')) === 1

const becomesUsed = async () => {
  await expect.poll(isUsed, { timeout: 120_000 }).toBe(true)
}

const readiness = async ({ root } = service) => {
  // Without keep-alive, because the service could close an idle connection just when it is reused.
  const response = await fetch(`${root}/readyz`, { headers: { connection: 'close' } })
  return [response.status, await response.json()]
}

/** Waits until the standby has replayed everything that the primary has written. */
const catchUp = async () => {
  const [row] = await servers.primary.query('select pg_current_wal_lsn() as lsn')
  const hasReplayed = async () => {
    const rows = await servers.standby.query(
      `select pg_last_wal_replay_lsn() >= '${String(row!.lsn)}'::pg_lsn as done`,
    )
    return rows[0]!.done
  }
  await expect.poll(hasReplayed).toBe(true)
}

/** Stops the standby from replaying what the primary writes, until the test ends or `resumeReplay` is called. */
const pauseReplay = async () => {
  await servers.standby.query('select pg_wal_replay_pause()')
  onTestFinished(resumeReplay)
}

const resumeReplay = async () => void (await servers.standby.query('select pg_wal_replay_resume()'))

const edit = async (page: { id: string }, html: string) => {
  const { status } = await site.space.api.patch(`/pages/${page.id}`, { html })
  expect(status).toBe(200)
}

const replace = async (file: { id: string }, content: Buffer) => {
  const fields = { content: content.toString('base64'), encoding: 'base64' }
  expect((await site.space.api.patch(`/files/${file.id}`, fields)).status).toBe(200)
}

/** Reads a page directly from the standby. Unlike the service, does not check the revision. */
const onStandby = async (page: { id: string }) =>
  (await servers.standby.query(`select html from pages where id = '${page.id}'`))[0]!.html

/** Opens a page after each of several edits, and returns the distinct statuses of the responses. */
const openAfterEdits = async (page: { id: string }, slug: string, times: number) => {
  const statuses = new Set<number>()
  for (let n = 1; n <= times; n++) {
    await edit(page, `<p>edition ${n}.</p>`)
    const { status, text } = await site.open(`/${slug}`)
    statuses.add(status)
    expect(text).toContain(`edition ${n}.`)
  }
  return [...statuses]
}

test('pages and files are read from the replica', async () => {
  const bytes = randomBytes(LARGE)
  const file = await site.file('large.bin', bytes)
  await site.page('hello', '<p>from the replica</p>')
  await catchUp()
  await becomesUsed()
  const before = await readsThatWere('answered')
  expect((await site.open('/hello')).text).toContain('from the replica')
  // Polls: if the replica is slow, the primary can answer first, and the replica's answer is counted only later.
  await expect.poll(() => readsThatWere('answered')).toBeGreaterThan(before)
  const afterPage = await readsThatWere('answered')
  expect((await site.openFile(file)).bytes.equals(bytes)).toBe(true)
  // The bytes are read in pieces of 64 KiB.
  await expect.poll(() => readsThatWere('answered')).toBe(afterPage + 4)
  expect(await readiness()).toEqual([200, { status: 'ready' }])
})

describe('while the replica is behind', () => {
  test('no page and no file is stale', async () => {
    const EDITS = 50
    const page = await site.page('behind', '<p>edition 0.</p>')
    const changing = await site.file('changing.bin', randomBytes(LARGE))
    const unchanged = await site.file('unchanged.bin', randomBytes(LARGE))
    await catchUp()
    await becomesUsed()
    await pauseReplay()
    const behind = await readsThatWere('behind')
    let stale = 0
    let staleOnStandby = 0
    for (let n = 1; n <= EDITS; n++) {
      // On a busy machine, slow answers can keep reads away from the replica for some seconds.
      await becomesUsed()
      const bytes = randomBytes(LARGE)
      await edit(page, `<p>edition ${n}.</p>`)
      await replace(changing, bytes)
      if (!(await site.open('/behind')).text.includes(`edition ${n}.`)) stale += 1
      if (!(await site.openFile(changing)).bytes.equals(bytes)) stale += 1
      if ((await onStandby(page)) !== `<p>edition ${n}.</p>`) staleOnStandby += 1
      // The replica has the current version of this file, so it can answer this request and remains in use.
      await site.openFile(unchanged)
    }
    expect({ stale, staleOnStandby }).toEqual({ stale: 0, staleOnStandby: EDITS })
    // After each edit, at least one read finds that the replica has an earlier version.
    await expect.poll(async () => (await readsThatWere('behind')) - behind).toBeGreaterThanOrEqual(EDITS)
  })

  test('it gets no reads for some seconds if it could not answer the previous ones', async () => {
    const page = await site.page('paused', '<p>edition 0.</p>')
    await catchUp()
    await becomesUsed()
    await pauseReplay()
    const afterEdits = async () => [
      await openAfterEdits(page, 'paused', 10),
      await isUsed(),
      await readiness(),
    ]
    // Polls, because on a slow machine the pause can end before its effects are read.
    await expect.poll(afterEdits).toEqual([[200], false, [200, { status: 'ready', missing: ['replica'] }]])
    await resumeReplay()
    await becomesUsed()
  })
})

describe('when the replica fails', () => {
  test('every request succeeds, and the replica is used again once it is back', async () => {
    const page = await site.page('stopped', '<p>edition 0.</p>')
    await catchUp()
    await becomesUsed()
    await servers.standby.stop()
    expect(await openAfterEdits(page, 'stopped', 20)).toEqual([200])
    await expect.poll(isUsed).toBe(false)
    expect(await readiness()).toEqual([200, { status: 'ready', missing: ['replica'] }])
    await servers.standby.start()
    await becomesUsed()
    expect(await openAfterEdits(page, 'stopped', 5)).toEqual([200])
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    const changes = service.log.filter(({ msg }) => String(msg).startsWith('The read replica'))
    expect(changes.at(-2)).toMatchObject({ msg: 'The read replica is unavailable' })
    expect(changes.at(-1)).toMatchObject({ msg: 'The read replica is available' })
  })

  test('requests succeed while it is frozen', async () => {
    const page = await site.page('frozen', '<p>edition 0.</p>')
    await catchUp()
    await becomesUsed()
    await servers.standby.signal('SIGSTOP')
    try {
      expect(await openAfterEdits(page, 'frozen', 20)).toEqual([200])
      await expect.poll(isUsed).toBe(false)
    } finally {
      await servers.standby.signal('SIGCONT')
    }
    await becomesUsed()
  })
})

describe('a replica is not used', () => {
  const expectUnused = async (url: string, reason: string, databaseUrl?: string) => {
    const other = await start(url, databaseUrl)
    onTestFinished(() => other.stop())
    await expect
      .poll(() => other.log.map(({ reason: logged }) => logged))
      .toContainEqual(expect.stringContaining(reason))
    expect(await readiness(other)).toEqual([200, { status: 'ready', missing: ['replica'] }])
    const own = await newSite(other)
    await own.page('hello', '<p>from the primary</p>')
    expect((await own.open('/hello')).text).toContain('from the primary')
    expect(await readsThatWere('answered', other)).toBe(0)
  }

  test('if it is unreachable', () => expectUnused('postgresql://tests@127.0.0.1:1/postgres', 'ECONNREFUSED'))

  test('if it is the primary', () => expectUnused(servers.primary.url, 'not a standby'))

  test('if it has become a primary itself', async () => {
    await becomesUsed()
    await servers.standby.query('select pg_promote()')
    await expect.poll(isUsed).toBe(false)
    const reasons = service.log.flatMap(({ reason }) => reason ?? [])
    expect(reasons.at(-1)).toBe('The replica is not a standby of the database')
  })

  test('if it still follows the primary from before a failover', async () => {
    const follower = await servers.createStandby('follower')
    await expectUnused(follower.url, 'since the last failover', servers.standby.url)
  })
})
