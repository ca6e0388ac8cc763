import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, inject, it, test, vi } from 'vitest'
import { addVisits, type CountedVisits } from '../../db/queries/visits.ts'
import { inTransaction } from '../../db/transaction.ts'
import { limits } from '../../routers/api/rules.ts'
import { dayOf, trimVisits, writeVisits } from '../../routers/visits/store.ts'
import { copyDatabase } from '../support/database.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService({ trustedProxies: ['loopback'] })
let site: TestSite
let host: string

// The clock stands still at noon, so that no test runs past the end of a day or an hour.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) })
  return () => void vi.useRealTimers()
})

beforeEach(async () => {
  site = await newSite(service)
  host = `${site.space.subdomain}.sites.localhost`
  await site.page('about', 'About')
})

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Headers of a browser. @param address where the reader is */
const reader = (headers: Record<string, string> = {}, address = '192.0.2.1') => ({
  headers: { 'user-agent': BROWSER, 'x-forwarded-for': address, ...headers },
})

/** Opens a path as a reader would, and returns the status of the response. */
const read = async (path: string, headers?: Record<string, string>, address?: string) =>
  (await site.open(path, reader(headers, address))).status

const figures = async (days?: number) => {
  await service.core.visits!.flush()
  return site.space.owner.visits.get({ subdomain: site.space.subdomain, ...(days ? { days } : {}) })
}

describe('a visit', () => {
  it('counts the document that was sent, and its reader once a day', async () => {
    await site.page('index', 'Home')
    for (const path of ['/', '/about', '/about', '/index', '/articles', '/articles.atom']) await read(path)
    await read('/about', {}, '192.0.2.2')
    const { views, visitors, is_estimate, pages, days } = await figures()
    expect({ views, visitors, is_estimate }).toEqual({ views: 7, visitors: 2, is_estimate: false })
    expect(pages).toEqual([
      { path: '/about', views: 3 },
      { path: '/', views: 2 },
      { path: '/articles', views: 1 },
      { path: '/articles.atom', views: 1 },
    ])
    expect(days).toEqual([
      { day: dayOf(Date.now()), views: 7, visitors: 2, is_estimate: false, not_found: 0, failed: 0 },
    ])
  })

  it('counts a reader who stays once, over many writes', async () => {
    for (let write = 0; write < 3; write++) {
      await read('/about')
      expect(await figures()).toMatchObject({ views: write + 1, visitors: 1 })
    }
  })

  it('counts a scripted page and its frame once', async () => {
    const page = await site.page('game', '<p>Play</p>', 'scripted')
    await read('/game')
    await site.openOrigin(page, '/game', reader({ 'sec-fetch-dest': 'iframe' }))
    await site.open('/about', reader({ 'sec-fetch-dest': 'iframe' }))
    expect(await figures()).toMatchObject({ views: 1, pages: [{ path: '/game', views: 1 }] })
  })

  it('takes the network of an IPv6 address for the reader', async () => {
    await read('/about', {}, '2001:db8::1')
    await read('/about', {}, '2001:db8::2')
    await read('/about', {}, '2001:db8:0:1::2')
    expect(await figures()).toMatchObject({ visitors: 2 })
  })

  it.each([
    ['asks with Sec-GPC not to be tracked', { 'sec-gpc': '1' }],
    ['asks with DNT not to be tracked', { dnt: '1' }],
    [
      'is a robot',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    ['is a program', { 'user-agent': 'curl/8.9.1' }],
    ['has no name', { 'user-agent': '' }],
    ['loads the page ahead', { 'sec-purpose': 'prefetch;prerender' }],
    ['loads the page ahead in an older way', { purpose: 'prefetch' }],
  ])('is not counted if the browser %s', async (_, headers) => {
    await read('/about', headers)
    await read('/nowhere', headers)
    expect(await figures()).toMatchObject({ views: 0, visitors: 0, not_found: 0, days: [], hours: [] })
  })

  it('is not counted for a HEAD request, a redirect, a file or a feed that the reader already has', async () => {
    const { headers } = await site.open('/articles.atom', reader())
    await site.open('/articles.atom', reader({ 'if-none-match': String(headers.etag) }))
    await site.open('/about', { ...reader(), method: 'HEAD' })
    expect(await read('/About')).toBe(302)
    expect(await read('/robots.txt')).toBe(200)
    await site.openFile(await site.file('a.txt', 'text'), reader())
    expect(await figures()).toMatchObject({ views: 1, not_found: 0 })
  })

  it('names the host that the reader came from, unless it is the site itself', async () => {
    const game = await site.page('game', 'Play', 'scripted')
    for (const referer of [
      'https://www.example.org/path?q=secret',
      'https://example.org/',
      `http://${host}/about`,
      `http://${game.id}.pages.localhost/`,
      'android-app://com.example',
      'nonsense',
    ])
      await read('/about', { referer })
    expect((await figures()).sources).toEqual([{ host: 'example.org', views: 2 }])
  })

  it('separates what was not found and what failed from what was read', async () => {
    await site.page('broken', '{% if %}')
    await site.page(
      'slow',
      '{{ "x" | date: "%A", timezone: "Nowhere/At all" }}{% render "none" %}',
      'scripted',
    )
    expect(await read('/nowhere?token=secret')).toBe(404)
    expect(await read('/articles?page=99')).toBe(404)
    await read('/broken')
    await read('/slow')
    expect(await figures()).toMatchObject({
      views: 0,
      visitors: 0,
      not_found: 2,
      failed: 2,
      missing_paths: [
        { path: '/articles', requests: 1 },
        { path: '/nowhere', requests: 1 },
      ],
      failing_paths: [
        { path: '/broken', requests: 1 },
        { path: '/slow', requests: 1 },
      ],
    })
  })

  it('of the last 24 hours is shown by the hour', async () => {
    await read('/about')
    const { hours } = await figures()
    expect(hours.map(({ views }) => views)).toEqual([1])
    expect(hours[0]!.hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
  })
})

describe('counting', () => {
  it('can be switched off for a space, and keeps the figures', async () => {
    const { subdomain, owner } = site.space
    await read('/about')
    expect(await figures()).toMatchObject({ views: 1, is_counting: true })
    await owner.visits.setCounting({ subdomain, is_on: false })
    await read('/about')
    expect(await figures()).toMatchObject({ views: 1, is_counting: false })
    await owner.visits.setCounting({ subdomain, is_on: true })
    await read('/about')
    expect(await figures()).toMatchObject({ views: 2, is_counting: true })
    expect(await owner.visits.counting({ subdomain })).toEqual({ is_on: true, is_available: true })
  })

  it('can be switched off for the service', async () => {
    const quiet = await startTestService({ countsVisits: false })
    try {
      const { subdomain, owner } = await quiet.createSpace()
      expect(await owner.visits.get({ subdomain })).toMatchObject({ is_counting: false, days: [] })
      expect(await owner.visits.counting({ subdomain })).toEqual({ is_on: true, is_available: false })
    } finally {
      await quiet.stop()
    }
  })

  it('leaves nothing of a deleted space', async () => {
    const { subdomain, owner } = site.space
    for (const path of ['/about', '/nowhere']) await read(path, { referer: 'https://example.org/' })
    await service.core.visits!.flush()
    const id = await spaceId()
    expect(await rowsOf(id)).toBeGreaterThan(4)
    // These visits are still in memory when the space is deleted.
    await read('/about')
    await owner.sessions.confirm({ password: 'correct horse battery' })
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    await service.core.visits!.flush()
    expect(await rowsOf(id)).toBe(0)
  })
})

const spaceId = async () => {
  const { rows } = await sql<{ id: string }>`
    select id from space_names where subdomain = ${site.space.subdomain}`.execute(service.core.database)
  return rows[0]!.id
}

/** How many rows the tables about visits have for a space. */
const rowsOf = async (id: string) => {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from visit_days where space_id = ${id})
      + (select count(*) from visit_counts where space_id = ${id})
      + (select count(*) from visit_hours where space_id = ${id})
      + (select count(*) from visitor_hashes where space_id = ${id}))::int as count`.execute(
    service.core.database,
  )
  return rows[0]!.count
}

const TODAY = dayOf(Date.now())
const NOTHING = { day: TODAY, views: 0, notFound: 0, failed: 0, names: [], hours: [], visitors: [] }

/** Writes figures as a process does. */
const write = async (counted: Partial<CountedVisits>) =>
  writeVisits(service.core.database, [{ ...NOTHING, spaceId: await spaceId(), ...counted }])

/** Hashes of different visitors, spread as evenly as those of a hash function. */
const visitors = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) =>
    BigInt.asUintN(63, BigInt(from + index + 1) * 0x9e3779b97f4a7c15n),
  )

test('the figures of several processes add up, and a visitor of both counts once', async () => {
  const names = [{ kind: 'page' as const, name: '/about', count: 2 }]
  await Promise.all([
    write({ views: 2, names, visitors: visitors(0, 20) }),
    write({ views: 2, names, visitors: visitors(10, 30) }),
    write({ notFound: 1, visitors: [] }),
  ])
  expect(await figures()).toMatchObject({
    views: 4,
    visitors: 30,
    not_found: 1,
    pages: [{ path: '/about', views: 4 }],
  })
})

test('two services with one database know each other’s visitors', async () => {
  const settings = { databaseUrl: await copyDatabase(inject('database')), trustedProxies: ['loopback'] }
  const services = [await startTestService(settings), await startTestService(settings)] as const
  try {
    const shared = await newSite(services[0])
    await shared.page('about', 'About')
    const { subdomain, owner } = shared.space
    for (const each of services)
      for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.2', `198.51.100.${services.indexOf(each)}`])
        await requestHost(each, `${subdomain}.sites.localhost`, '/about', reader({}, address))
    await Promise.all(services.map(({ core }) => core.visits!.flush()))
    expect(await owner.visits.get({ subdomain })).toMatchObject({
      views: 8,
      visitors: 4,
      pages: [{ path: '/about', views: 8 }],
    })
  } finally {
    await Promise.all(services.map(each => each.stop()))
  }
})

test('more visitors than are counted exactly are estimated, and stay bounded', async () => {
  const id = await spaceId()
  const max = 200
  const add = (hashes: bigint[]) =>
    inTransaction(service.core.database, sql =>
      addVisits(sql, [{ ...NOTHING, spaceId: id, visitors: hashes }], { visitors: max, names: 1 }),
    )
  await add(visitors(0, max))
  expect(await figures()).toMatchObject({ visitors: max, is_estimate: false })
  for (let from = max; from < 4_000; from += 200) await add(visitors(from, from + 200))
  await add(visitors(0, 4_000))
  const { visitors: estimated, is_estimate } = await figures()
  expect(is_estimate).toBe(true)
  expect(Math.abs(estimated - 4_000)).toBeLessThan(400)
  expect(await rowsOf(id)).toBe(max + 1)
})

test('a day has a bounded number of names, and made-up ones do not displace the frequent ones', async () => {
  const named = (prefix: string, length: number, count: number) =>
    Array.from({ length }, (_, index) => ({
      kind: 'source' as const,
      name: `${prefix}${index}.example`,
      count,
    }))
  await write({ names: named('made-up-', limits.visitNames, 1) })
  await write({ names: named('often-', 2, 5) })
  await write({ names: named('new-', 1, 1) })
  expect((await figures()).sources.slice(0, 2)).toEqual([
    { host: 'often-0.example', views: 5 },
    { host: 'often-1.example', views: 5 },
  ])
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count from visit_counts where space_id = ${await spaceId()}`.execute(service.core.database)
  expect(rows).toHaveLength(limits.visitNames + 1)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(limits.visitNames + 11)
  expect(rows).toContainEqual({ name: 'new-0.example', count: 1 })
})

test('the salt and the hashes end with the day, and the figures after two years', async () => {
  const id = await spaceId()
  await read('/about')
  await service.core.visits!.flush()
  const DAY = 24 * 60 * 60_000
  const salts = async () => (await sql`select from visit_salts`.execute(service.core.database)).rows.length
  const midnight = Date.parse(`${TODAY}T00:00:00Z`) + DAY
  await trimVisits(service.core.database, new Date(midnight + 59_000))
  expect([await salts(), await rowsOf(id)]).toEqual([1, 4])
  await trimVisits(service.core.database, new Date(midnight + 60_000))
  expect([await salts(), await rowsOf(id)]).toEqual([0, 3])
  // A batch that comes too late adds no visitors, because it cannot be known who they are.
  await writeVisits(
    service.core.database,
    [{ ...NOTHING, spaceId: id, views: 1, visitors: visitors(0, 1) }],
    new Date(midnight + 60_000),
  )
  expect(await figures()).toMatchObject({ views: 2, visitors: 1 })
  await trimVisits(service.core.database, new Date(midnight + 3 * DAY))
  expect(await rowsOf(id)).toBe(2)
  await trimVisits(service.core.database, new Date(midnight + limits.visitDays * DAY))
  expect(await rowsOf(id)).toBe(0)
})
