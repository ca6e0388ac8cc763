import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { writeVisits } from '../../../routers/visits/store.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const DAY = 24 * 60 * 60_000
/** Read once, so that all days fit together even if a test runs at midnight. */
const NOW = Date.now()
const dayBefore = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10)

/** Creates a space that has a page, and writes its visits of some days as a process does. */
const spaceWithVisits = async () => {
  const space = await dashboard.service.createSpace()
  await space.owner.pages.create({ subdomain: space.subdomain, slug: 'about', html: 'About', kind: 'static' })
  const { database } = dashboard.service.core
  const { rows } = await sql<{ id: string }>`
    select id from space_names where subdomain = ${space.subdomain}`.execute(database)
  const spaceId = rows[0]!.id
  for (const [age, views] of [
    [200, 7],
    [40, 50],
    [8, 30],
    [1, 120],
    [0, 1200],
  ] as const)
    await writeVisits(
      database,
      [
        {
          spaceId,
          day: dayBefore(age),
          views,
          notFound: 2,
          failed: 1,
          names: [
            { kind: 'page', name: '/about', count: views },
            { kind: 'source', name: 'example.org', count: 3 },
            { kind: 'not_found', name: '/old%20address', count: 2 },
            { kind: 'failed', name: '/broken', count: 1 },
          ],
          hours: age === 0 ? [{ hour: new Date(Math.floor(NOW / 3_600_000) * 3_600_000), views }] : [],
          visitors: age === 0 ? [1n, 2n, 3n] : [],
        },
      ],
      new Date(NOW),
    )
  return space
}

test('the overview shows who reads the site, for several periods, and as a file', async () => {
  const space = await spaceWithVisits()
  const { page } = await dashboard.inSpace(space, '')
  const visits = page.getByRole('region', { name: 'Visits' })
  const chart = visits.getByRole('table')
  const views = visits.getByRole('definition').first()
  await views.filter({ hasText: '1,350' }).waitFor()
  expect(await chart.getByRole('row').count()).toBe(31)
  const today = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(NOW)
  const row = chart
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: today, exact: true }) })
  expect(await row.innerText()).toMatch(/1,200\s+3$/)
  for (const text of ['/about', 'example.org', '/old%20address', '/broken'])
    await visits.getByText(text, { exact: true }).waitFor()
  await expectAccessible(page, 'overview-visits')

  await visits.getByText('A year').click()
  await views.filter({ hasText: '1,407' }).waitFor()
  expect(await chart.getByRole('row').count()).toBe(54)
  await visits.getByText('90 days').click()
  await views.filter({ hasText: '1,400' }).waitFor()
  const downloading = page.waitForEvent('download')
  await visits.getByRole('button', { name: 'CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n')
  expect(lines).toHaveLength(92)
  expect(lines[0]).toBe('day,views,visitors,visitors_are_estimated,not_found,failed')
  expect(lines).toContain(`${dayBefore(0)},1200,3,no,2,1`)

  await visits.getByText('24 hours').click()
  await chart.getByText('Views by hour').waitFor()
  expect(await chart.getByRole('row').count()).toBe(25)
  await expectAccessible(page, 'overview-visits-today')
})

test('a new site has no visits yet, and the first one appears without a reload', async () => {
  const space = await dashboard.service.createSpace()
  const { url } = await space.owner.pages.create({
    subdomain: space.subdomain,
    slug: 'about',
    html: 'About',
    kind: 'static',
  })
  const { page } = await dashboard.inSpace(space, '')
  const visits = page.getByRole('region', { name: 'Visits' })
  await visits.getByText('Nobody has read your site lately').waitFor()
  await expectAccessible(page, 'overview-no-visits')
  await visits.getByText('24 hours').click()
  await visits.getByText('Nobody has read your site in this time').waitFor()
  const reader = await page.context().browser()!.newContext({ userAgent: 'Mozilla/5.0 Firefox/140.0' })
  await (await reader.newPage()).goto(url)
  await visits.getByText('Views today').waitFor()
  await reader.close()
})

test('a participant switches counting off and on again', async () => {
  const space = await spaceWithVisits()
  const { page, open } = await dashboard.inSpace(space, '/settings')
  const setting = page.getByRole('switch', { name: 'Count visits' })
  await setting.and(page.locator(':checked')).waitFor()
  await setting.click()
  await expectNotice(page, 'Visits are no longer counted.')
  await expectAccessible(page, 'settings-visits')
  await open(`/spaces/${space.subdomain}`)
  await page.getByRole('region', { name: 'Visits' }).getByText('Visits are no longer counted.').waitFor()
  await open(`/spaces/${space.subdomain}/settings`)
  await setting.click()
  await expectNotice(page, 'Visits are counted again.')
  expect(await space.owner.visits.counting({ subdomain: space.subdomain })).toMatchObject({ is_on: true })
})
