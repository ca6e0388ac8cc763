import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { type Appearance, expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

let space: TestSpace
beforeEach(async () => {
  space = await dashboard.service.createSpace()
})

const HOUR = 60 * 60_000

/** Moves the times of all existing changes back by some hours. */
const age = (hours: number) =>
  sql`update writes set at = at - ${hours}::int * interval '1 hour' where space_id = (
    select id from spaces where subdomain = ${space.subdomain}
  )`.execute(dashboard.service.core.database)

const open = (path = '/history', appearance?: Appearance) => dashboard.inSpace(space, path, appearance)

const choose = async (page: Page, field: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Waits until the history lists changes of exactly these items. */
const expectItems = async (page: Page, items: string[]) => {
  for (const item of items) await page.getByRole('link', { name: `View change of ${item}` }).waitFor()
  const links = page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: /^View change of/ })
  await expect.poll(() => links.count()).toBe(items.length)
}

test('the history can be filtered by who made the changes, and keeps the filter on a reload and on Back', async () => {
  const { owner, subdomain, api, apiWith } = space
  await api.put('/data/by-key', { value: 1 })
  await (await apiWith('data')).put('/data/by-other-key', { value: 1 })
  await owner.data.put({ subdomain, key: 'by-person', value: 1 })
  const { page, context } = await open()
  await expectItems(page, ['by-key', 'by-other-key', 'by-person'])
  const by = page.getByRole('combobox', { name: 'By' })
  await by.click()
  await page
    .getByRole('option', { name: `key test (${owner.handle})` })
    .first()
    .waitFor()
  await page.getByRole('option', { name: new RegExp(`^${owner.handle}`) }).click()
  await expectItems(page, ['by-person'])
  await expectAccessible(page, 'history-by-person')
  await page.reload()
  await expectItems(page, ['by-person'])
  await expect.poll(() => by.inputValue()).toBe(owner.handle)
  await page.getByRole('link', { name: 'View change of by-person' }).click()
  await page.getByRole('heading', { level: 1, name: 'by-person' }).waitFor()
  await page.goBack()
  await expectItems(page, ['by-person'])
  await choose(page, 'By', 'Everyone')
  await expectItems(page, ['by-key', 'by-other-key', 'by-person'])
  await context.close()
})

test('the history can be filtered by time, in the time zone of the person', async () => {
  await space.api.put('/data/early', { value: 1 })
  await age(30)
  await space.api.put('/data/late', { value: 1 })
  await age(3)
  await space.api.put('/data/now', { value: 1 })
  const { page, context } = await open()
  const zone = await context.newCDPSession(page)
  await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  await expectItems(page, ['early', 'late', 'now'])
  await choose(page, 'Time', 'Last hour')
  await expectItems(page, ['now'])
  await choose(page, 'Time', 'Last 7 days')
  await expectItems(page, ['early', 'late', 'now'])
  await choose(page, 'Time', 'Custom range')
  const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
  /** Formats a time, plus `later` ms, in the time of Tokyo, which is always nine hours ahead of UTC. */
  const inTokyo = (at: string, later: number) =>
    new Date(Date.parse(at) + later + 9 * HOUR).toISOString().slice(0, 16)
  const late = changes[1]!.at
  await page.getByLabel('From').fill(inTokyo(late, -60_000))
  await expectItems(page, ['late', 'now'])
  await page.getByLabel('To', { exact: true }).fill(inTokyo(late, 0))
  await expectItems(page, ['late'])
  await expectAccessible(page, 'history-between')
  await page.reload()
  await expectItems(page, ['late'])
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe(inTokyo(late, -60_000))
  await page.getByLabel('To', { exact: true }).fill(inTokyo(late, -HOUR))
  await page.getByText('Choose a time after the start').waitFor()
  await expectAccessible(page, 'history-reversed')
  await context.close()
})

test('older changes are loaded with the same filters', async () => {
  const { owner, subdomain, api } = space
  const put = (from: number, to: number, write: (key: string) => Promise<unknown>) =>
    Promise.all(Array.from({ length: to - from }, (_, n) => write(`k${from + n}`)))
  await put(0, 30, key => api.put(`/data/${key}`, { value: 1 }))
  await put(30, 60, key => owner.data.put({ subdomain, key, value: 1 }))
  await put(60, 90, key => api.put(`/data/${key}`, { value: 1 }))
  const actors = await owner.history.actors({ subdomain })
  const { id } = actors.find(({ kind }) => kind === 'space_key')!
  const { page, context } = await open(`/history?actor=${id}&when=week&kind=record`)
  const links = page.getByRole('link', { name: /^View change of/ })
  await expect.poll(() => links.count()).toBe(50)
  await page.getByRole('button', { name: 'Show older changes' }).click()
  await expect.poll(() => links.count()).toBe(60)
  await page.getByRole('link', { name: 'View change of k0' }).waitFor()
  expect(await page.getByRole('button', { name: 'Show older changes' }).count()).toBe(0)
  await context.close()
})

test('older changes that were requested are shown, even if others change something meanwhile', async () => {
  const { api } = space
  await Promise.all(Array.from({ length: 60 }, (_, n) => api.put(`/data/k${n}`, { value: 1 })))
  const window = await dashboard.as(space.owner)
  const { page } = window
  let loaded = 0
  page.on('response', response => {
    if (/trpc\/.*history\.actors/.test(response.url())) loaded += 1
  })
  await window.open(`/spaces/${space.subdomain}/history`)
  const links = page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: /^View change of/ })
  await expect.poll(() => links.count()).toBe(50)
  // The first event of the stream makes the view load again.
  await expect.poll(() => loaded).toBeGreaterThanOrEqual(2)
  const refetched = Promise.withResolvers<void>()
  const sent = page.waitForRequest(/trpc\/.*history\.list/)
  await page.route(/trpc\/.*history\.list/, async route => {
    await refetched.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Show older changes' }).click()
  await sent
  // The other queries of the view are refetched at once.
  const refetching = page.waitForRequest(/trpc\/.*history\.actors/)
  await api.put('/data/later', { value: 1 })
  await refetching
  refetched.resolve()
  await page.getByRole('link', { name: 'View change of later' }).waitFor()
  await expect.poll(() => links.count()).toBe(61)
})

test('if no change matches, the history names the filters, and offers to clear one or all of them', async () => {
  const { owner, subdomain } = space
  await space.api.put('/data/early', { value: 1 })
  await age(3)
  await owner.data.put({ subdomain, key: 'late', value: 1 })
  const actors = await owner.history.actors({ subdomain })
  const { id } = actors.find(({ kind }) => kind === 'space_key')!
  const { page, context } = await open(`/history?actor=${id}&when=hour&kind=record`)
  await page
    .getByText(`There are no changes to data by key test (${owner.handle}) in the last hour`)
    .waitFor()
  await expectAccessible(page, 'history-no-matches')
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await expectItems(page, ['late'])
  await page.goto(page.url().replace(/\?.*/, `?actor=${id}&when=hour`))
  await page.getByRole('button', { name: 'Show any time' }).click()
  await expectItems(page, ['early'])
  await page.goto(page.url().replace(/\?.*/, '?kind=file'))
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expectItems(page, ['early', 'late'])
  await context.close()
})
