import { get } from 'node:http'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { creationLimits } from '../../routers/api/rules.ts'
import { measureTurns } from '../support/event-loop.ts'
import { withoutHistory } from '../support/history.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

/**
 * Maximum share of a list's CPU time that may be spent in a single turn of the event loop. If lists were not processed
 * in slices, the share would be about 0.4.
 */
const LARGEST_SHARE = 1 / 4

// As in the shipped service, a list does not wait for the titles of all its pages.
const service = useTestService({ creationLimits: { ...creationLimits, pages: 100_000 } }, { lists: 500 })
let space: TestSpace

/** Inserts pages into the database, because creating them through the API would take minutes. */
const fill = async (pages: number) => {
  const db = service.core.database
  await withoutHistory(db, db =>
    sql`insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
    select space.id, lpad(number::text, 16, 'a'), 'page-' || lpad(number::text, 6, '0'), 'static', 'text', '{}',
      '2026-01-01'::timestamptz + number * interval '1 second', '2026-01-01'::timestamptz
    from spaces as space, generate_series(1, ${pages}::int) as number
    where space.subdomain = ${space.subdomain}`.execute(db),
  )
}

const fillFiles = async (files: number) => {
  const db = service.core.database
  await withoutHistory(db, db =>
    sql`insert into files
      (space_id, id, name, content_type, size, digest, uploaded_by_id, created_at, updated_at)
    select space.id, lpad(number::text, 16, 'b'), 'file-' || number || '.txt', 'text/plain', 4, sha256('text'),
      participant.account_id, '2026-01-01'::timestamptz + number * interval '1 second', '2026-01-01'::timestamptz
    from spaces as space join participants as participant on participant.space_id = space.id,
      generate_series(1, ${files}::int) as number
    where space.subdomain = ${space.subdomain}`.execute(db),
  )
}

const fillPosts = async (handle: string, published: number, drafts: number) => {
  const db = service.core.database
  await sql`insert into posts (id, author_id, format, html, tags, published_at, created_at, updated_at)
    select lpad(number::text, 16, 'c'), account.id, 'html', 'text', '{}',
      case when number <= ${published}::int then '2026-01-01'::timestamptz end,
      '2026-01-01'::timestamptz + number * interval '1 second', '2026-01-01'::timestamptz
    from accounts as account, generate_series(1, ${published + drafts}::int) as number
    where account.handle = ${handle}`.execute(db)
}

// The lists below are longer than the limits of the service allow. Some systems count CPU time in steps of 4 ms. With
// long lists, one such step is only a small part of a list's total CPU time, even on a fast machine.

/** Maximum number of measurements of a list. The first can be slower, because the code is not optimized yet. */
const READINGS = 3

/** Reads a complete list of the API. Expects that no turn of the event loop takes much of the CPU time. */
const expectSlices = async (path: string, credential: string, count: number) => {
  const headers = { authorization: `Bearer ${credential}` }
  const list = () => requestHost(service, 'localhost', path, { headers })
  // Drops the body, because decoding it here would count as work of the service.
  const read = () =>
    new Promise<void>((resolve, reject) => {
      const options = { port: service.port, path, headers: { ...headers, host: 'localhost' }, agent: false }
      get(options, response => response.resume().on('end', resolve)).on('error', reject)
    })
  let share = 1
  for (let reading = 0; reading < READINGS && share >= LARGEST_SHARE; reading++) {
    const { longest, total } = await measureTurns(read)
    share = longest / total
  }
  expect(share).toBeLessThan(LARGEST_SHARE)
  const response = await list()
  const parsed = JSON.parse(response.text) as { data: unknown[] }
  expect(parsed.data).toHaveLength(count)
  // The list is sent in slices, which together must equal what JSON.stringify writes.
  expect(response.text === JSON.stringify(parsed)).toBe(true)
  expect(response.headers).toMatchObject({
    'content-length': String(response.text.length),
    'ratelimit-limit': '1000000',
  })
}

const open = (path: string) => requestHost(service, `${space.subdomain}.sites.localhost`, path)

/** Returns the slugs of the pages that a list links to. */
const slugsIn = (text: string) => [...text.matchAll(/<li><a href="\/([^"]+)"/g)].map(([, slug]) => slug)

describe('a site with 20,000 pages', () => {
  beforeAll(async () => {
    space = await service.createSpace()
    await fill(20_000)
    await open('/nowhere')
  })

  test('has lists that show 100 pages at a time, with links to the previous and next 100', async () => {
    const [start, articles, last] = await Promise.all([
      open('/'),
      open('/articles?page=2'),
      open('/articles?page=200'),
    ])
    expect(slugsIn(start.text)).toHaveLength(100)
    expect(slugsIn(start.text)[0]).toBe('page-000001')
    expect(start.text).toContain('href="/?page=2" rel="next"')
    expect(start.text).not.toContain('Previous page')
    expect(slugsIn(articles.text)[0]).toBe('page-019900')
    expect(articles.text).toContain('href="/articles" rel="prev"')
    expect(articles.text).toContain('href="/articles?page=3" rel="next"')
    expect(slugsIn(last.text).at(-1)).toBe('page-000001')
    expect(last.text).not.toContain('Next page')
    expect((await open('/articles?page=201')).status).toBe(404)
  })

  test('has an index of site maps that together list every page once', async () => {
    const { text } = await open('/sitemap.xml')
    const maps = [...text.matchAll(/<loc>[^<]*(\/sitemap-\d\.xml)<\/loc>/g)].map(([, path]) => path!)
    expect(maps).toEqual(['/sitemap-1.xml', '/sitemap-2.xml'])
    const urls = (await Promise.all(maps.map(open))).flatMap(map => map.text.match(/<loc>[^<]+<\/loc>/g))
    expect(new Set(urls).size).toBe(20_002)
    expect((await open('/sitemap-3.xml')).status).toBe(404)
  })

  test('shows a change in its lists immediately', async () => {
    await space.api.post('/pages', { slug: 'zebra', html: 'text' })
    expect(slugsIn((await open('/articles')).text)[0]).toBe('zebra')
  })

  test('does not block other requests while its lists are read', async () => {
    /** Reads a list. Changes the space first, so that the list is not cached. */
    const read = async (path: string) => {
      await space.api.put('/data/touch', { value: Math.random() })
      expect((await open(path)).status).toBe(200)
    }
    const map = await measureTurns(() => read('/sitemap-1.xml'))
    expect(map.longest).toBeLessThan(map.total / 2)
    // These lists have 100 pages each; the site map above has 10,000.
    for (const path of ['/', '/articles', '/articles.atom', '/sitemap.xml']) {
      const { longest } = await measureTurns(() => read(path))
      expect(longest).toBeLessThan(map.total / 2)
    }
  })
})

describe('a space above all its limits', () => {
  beforeAll(async () => {
    space = await service.createSpace()
    await fill(20_000)
    await fillFiles(20_000)
  })

  test.each([
    ['/pages', 20_000],
    ['/files', 20_000],
  ])('does not block other requests while the complete list %s is read', async (path, count) => {
    await expectSlices(`/v1/spaces/${space.subdomain}${path}`, await space.key('pages', 'files'), count)
  })
})

test('an account above all its limits does not block other requests while the list of its posts is read', async () => {
  const owner = await service.signUp()
  const [published, drafts] = [2 * creationLimits.posts, 2 * creationLimits.drafts]
  await fillPosts(owner.handle, published, drafts)
  await expectSlices('/v1/posts', await owner.token('posts'), published + drafts)
})
