import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Waits until a text field has the focus. */
const expectFocusIn = (page: Page, label: string) =>
  page.getByRole('textbox', { name: label, exact: true }).and(page.locator(':focus')).waitFor()

test.each([
  ['page', '/new-page', 'Title'],
  ['part', '/new-part', 'Name'],
  ['record', '/new-record', 'Key'],
])('the first field of a new %s has the focus', async (_what, path, label) => {
  const { page } = await dashboard.inSpace(await dashboard.service.createSpace(), path)
  await expectFocusIn(page, label)
})

test('the first field of a new part has the focus after a click on “New part”', async () => {
  const { page } = await dashboard.inSpace(await dashboard.service.createSpace(), '/parts')
  await page.getByRole('link', { name: 'New part' }).first().click()
  await expectFocusIn(page, 'Name')
})

test('the first field does not take the focus from a dialog that was opened while the view loaded', async () => {
  const { page, context } = await dashboard.inSpace(await dashboard.service.createSpace(), '/parts')
  const link = page.getByRole('link', { name: 'New part' }).first()
  await link.waitFor()
  const search = page.getByRole('combobox', { name: 'Search' })
  // Load the search before responses are held back.
  await page.keyboard.press('Control+k')
  const focused = search.and(page.locator(':focus'))
  // Once the dialog has the focus, it listens to the keyboard.
  await focused.waitFor()
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  await context.route(/\/assets\/|\/trpc\//, async route => {
    await isReleased
    // Continuing fails if the window closes meanwhile.
    await route.continue().catch(() => {})
  })
  await link.click()
  // The focus moves to the new view when its address appears, and would leave a dialog that was open by then.
  await page.locator('main:focus').waitFor()
  await page.keyboard.press('Control+k')
  await focused.waitFor()
  release()
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await focused.count()).toBe(1)
})

test('the editor of a new post has the focus', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp(), { isVisual: true })
  await open('/new-post')
  await expectFocusIn(page, 'Text')
})

test('the editor of a new post has the focus each time the view opens from a link', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp(), { isVisual: true })
  await open('/posts')
  for (let visit = 1; visit <= 2; visit++) {
    await page.getByRole('link', { name: 'New post' }).first().click()
    await expectFocusIn(page, 'Text')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  }
})

test('the editor of a new post does not take the focus from a control that the person has chosen', async () => {
  const { page, context, open } = await dashboard.as(await dashboard.service.signUp())
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  await context.route(/\/assets\/CodeMirror-/, async route => {
    await isReleased
    // Continuing fails if the window closes meanwhile.
    await route.continue().catch(() => {})
  })
  await open('/new-post')
  const format = page.getByRole('radio', { name: 'Markdown' })
  await format.focus()
  release()
  await page.getByRole('textbox', { name: 'Markdown', exact: true }).waitFor()
  expect(await format.and(page.locator(':focus')).count()).toBe(1)
})

test('the first field of a new reblog has the focus, unless the person has just chosen the format', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/new-post?format=reblog')
  await expectFocusIn(page, 'Link')
  await page.getByRole('radio', { name: 'Markdown' }).press('Space')
  await page.getByRole('textbox', { name: 'Markdown', exact: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('textbox', { name: 'Link', exact: true }).waitFor()
  expect(await page.locator('input[type=radio]:focus').count()).toBe(1)
})

test('an existing page opens without a focused field', async () => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  const { id } = await owner.pages.create({ subdomain, slug: 'about', html: 'x' })
  const { page } = await dashboard.inSpace(space, `/pages/${id}`)
  await page.getByRole('textbox', { name: 'Slug', exact: true }).waitFor()
  expect(await page.locator('input:focus').count()).toBe(0)
})

test('on a touch screen, no field has the focus, so that the keyboard does not cover the view', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/new-page', { width: 360, isTouch: true })
  await page.getByRole('textbox', { name: 'Slug', exact: true }).waitFor()
  expect(await page.locator('input:focus').count()).toBe(0)
})
