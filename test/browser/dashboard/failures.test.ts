import { beforeAll, expect, test } from 'vitest'
import type { Person, TestSpace } from '../../support/test-service.ts'
import { violationsOf } from '../support/axe.ts'
import { type DashboardWindow, expectAccessible, useDashboard } from '../support/dashboard.ts'
import { breakTable, rateLimit } from '../support/failures.ts'

const dashboard = useDashboard()
let space: TestSpace
let owner: Person
let window: DashboardWindow
let ids: { page: string; part: string; post: string }

beforeAll(async () => {
  space = await dashboard.service.createSpace('faulty')
  owner = space.owner
  const subdomain = 'faulty'
  const page = await owner.pages.create({ subdomain, slug: 'home', kind: 'scripted', html: '<p>Home</p>' })
  const part = await owner.parts.create({ subdomain, name: 'nav', html: '<nav></nav>' })
  await owner.data.put({ subdomain, key: 'event', value: { title: 'Harvest' } })
  const post = await owner.posts.create({ format: 'markdown', markdown: '# Beans', tags: [] })
  ids = { page: page.id, part: part.id, post: post.id }
  window = await dashboard.as(owner, { isLive: false })
})

/** Each view, with its path, a table that it depends on, and a procedure that it calls. */
const VIEWS: [name: string, path: () => string, table: string, procedure: string][] = [
  ['spaces', () => '/', 'participants', 'spaces.list'],
  ['overview', () => '/spaces/faulty', 'data_records', 'spaces.overview'],
  ['pages', () => '/spaces/faulty/pages', 'pages', 'pages.list'],
  ['page', () => `/spaces/faulty/pages/${ids.page}`, 'pages', 'pages.get'],
  ['parts', () => '/spaces/faulty/parts', 'parts', 'parts.list'],
  ['part', () => `/spaces/faulty/parts/${ids.part}`, 'parts', 'parts.get'],
  ['data', () => '/spaces/faulty/data', 'data_records', 'records.list'],
  ['record', () => '/spaces/faulty/data/event', 'data_records', 'data.get'],
  ['files', () => '/spaces/faulty/files', 'files', 'files.list'],
  ['keys', () => '/spaces/faulty/keys', 'space_keys', 'keys.list'],
  ['participants', () => '/spaces/faulty/participants', 'invites', 'invites.list'],
  ['posts', () => '/posts', 'posts', 'writing.list'],
  ['post', () => `/posts/${ids.post}`, 'posts', 'writing.get'],
  ['people', () => '/people', 'follows', 'follows.list'],
  ['muted people', () => '/people', 'mutes', 'mutes.list'],
  ['tokens', () => '/account/tokens', 'user_tokens', 'tokens.list'],
  ['security', () => '/account/security', 'passkeys', 'passkeys.list'],
]

test.each(VIEWS)(
  'after an internal error, the view of %s shows the reference of the error, and a retry succeeds',
  async (_name, path, table) => {
    const { page, open } = window
    const restore = await breakTable(dashboard.service, table)
    try {
      await open(path())
      await page
        .getByText(/^Reference [2-9a-z]{16}$/)
        .first()
        .waitFor()
      // Until the view has loaded, it has no heading.
      await page.locator('h1').first().waitFor({ state: 'attached' })
      expect(await violationsOf(page)).toEqual([])
    } finally {
      await restore()
    }
    // A view with several lists can show more than one error, because its calls can fail at different times.
    const again = page.getByRole('button', { name: 'Try again' })
    await again.first().click()
    await expect
      .poll(async () => {
        for (const button of await again.all()) await button.click({ timeout: 1_000 }).catch(() => {})
        return again.count()
      })
      .toBe(0)
    await expect.poll(() => page.getByText(/^Reference /).count()).toBe(0)
  },
)

/** Views that show failures in different ways: those of a list, of pages of a list, of an editor and of a section. */
const DIFFERENT = new Set([
  'spaces',
  'pages',
  'page',
  'record',
  'keys',
  'posts',
  'post',
  'people',
  'security',
])

test.each(VIEWS.filter(([name]) => DIFFERENT.has(name)))(
  'the view of %s counts down to the retry if its calls are rate limited',
  async (_name, path, _table, procedure) => {
    const { page, open } = window
    // Longer waits are shown in minutes.
    await rateLimit(page, procedure, 90)
    await open(path())
    await page
      .getByText(/^(Try again in|Wait) \d+ s/)
      .first()
      .waitFor()
    const again = page.getByRole('button', { name: /^Try again/ }).first()
    await expect.poll(() => again.isDisabled()).toBe(true)
    await page.unrouteAll({ behavior: 'wait' })
  },
)

test('a person who is not a participant of a space sees that the space is not found', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/spaces/faulty/pages')
  await page.getByRole('heading', { level: 1, name: 'No such space' }).waitFor()
  await page.getByText('or you may not be a participant').waitFor()
  await expect.poll(() => page.getByRole('navigation', { name: 'Space' }).count()).toBe(0)
  await expectAccessible(page, 'no-such-space')
  await page.getByRole('main').getByRole('link', { name: 'Go to your spaces' }).click()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Spaces')
})

/** Longer than any valid id, name or key, and too long for a procedure call. */
const LONG = 'x'.repeat(5_000)

test('an unknown address within a space shows the menu of the space, and a link to its overview', async () => {
  const { page, open } = window
  await open('/spaces/faulty/nope/further')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Pages', exact: true }).waitFor()
  await expectAccessible(page, 'space-not-found-view')
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await page.waitForURL(url => url.pathname.endsWith('/spaces/faulty'))
})

test('an unknown address outside a space shows the header, and a link to the list of spaces', async () => {
  const { page, open } = window
  await open('/nowhere/further')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await expect.poll(() => page.title()).toBe('Page not found · Space Site')
  await page.getByRole('banner').waitFor()
  await expectAccessible(page, 'not-found-view')
  await page.getByRole('main').getByRole('link', { name: 'Go to your spaces' }).click()
  await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
})

test.each([
  ['a page', '/spaces/faulty/pages/aaaaaaaaaaaaaaaa', 'No such page'],
  ['a part', '/spaces/faulty/parts/aaaaaaaaaaaaaaaa', 'No such part'],
  ['a record', '/spaces/faulty/data/nothing', 'No such record'],
  ['a post', '/posts/aaaaaaaaaaaaaaaa', 'No such post'],
  ['a view', '/nowhere', 'Page not found'],
  ...[
    // The root route refuses long segments of every path.
    `/spaces/${LONG}/pages`,
    `/spaces/faulty/data/${LONG}`,
    `/posts/aaaaaaaaaaaaaaaa/history/${LONG}`,
  ].map((path): [string, string, string] => [
    path.replace(LONG, '<5,000 characters>'),
    path,
    'Page not found',
  ]),
])('the address of %s that does not exist shows a not-found message', async (_name, path, message) => {
  const { page, open } = window
  await open(path)
  await page.getByRole('heading', { name: message }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})
