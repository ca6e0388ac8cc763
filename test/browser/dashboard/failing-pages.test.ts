import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

test('a participant reaches the editor of a broken page from the site and from the overview', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const broken = await owner.pages.create({
    subdomain,
    slug: 'programme',
    html: '<h1>Programme</h1>\n{% for talk in data.talks %}<p>{{ talk.title }}</p>',
  })
  const { page, open } = await dashboard.as(owner)
  await page.goto(broken.url)
  await page.getByRole('link', { name: 'Open in the editor' }).click()
  await page.getByRole('heading', { level: 1, name: 'programme' }).waitFor()
  await page.getByRole('region', { name: 'Preview' }).getByText('The template has an error').waitFor()

  await open(`/spaces/${subdomain}`)
  const errors = page.getByRole('region', { name: 'One page shows an error' })
  await errors.waitFor()
  await expectAccessible(page, 'overview-failing-pages')
  await errors.getByRole('link', { name: 'Open in the editor: programme' }).click()
  await page.getByRole('heading', { level: 1, name: 'programme' }).waitFor()
  await write(page, '<h1>Programme</h1>', 'Page body')
  // Until then, the status is still the one from before.
  await page.getByText('Unsaved changes').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()
})

test('a visitor who follows the link to the editor is asked to sign in first', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { url } = await owner.pages.create({ subdomain, slug: 'wrong', html: '{% if %}' })
  const { page } = await dashboard.anonymous()
  await page.goto(url)
  await page.getByRole('link', { name: 'Open in the editor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toContain(`/spaces/${subdomain}/pages/`)
})

describe('a save that breaks what visitors see', () => {
  const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Visitors now see an error' })
  const isSaved = (page: Page) => page.getByText('All changes saved').waitFor()

  test('of a page says so, leads to the place, and can be undone', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const html = '<h1>Programme</h1>'
    const { id } = await owner.pages.create({ subdomain, slug: 'programme', html })
    const { page } = await dashboard.inSpace({ owner, subdomain }, `/pages/${id}`)
    await page.getByText('Up to date').waitFor({ state: 'attached' })
    await write(page, '<h1>Talks</h1>\n{% if x %}', 'Page body')
    await page.keyboard.press('Control+s')
    await alert(page).getByText('Saved. Visitors now see an error on this page.').waitFor()
    await isSaved(page)
    await expectAccessible(page, 'saved-broken-page')
    await alert(page).getByRole('button', { name: 'Page, line 2' }).click()
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toBe('{% if x %}')
    await alert(page).getByRole('button', { name: 'Undo' }).click()
    await alert(page).waitFor({ state: 'detached' })
    expect(await owner.pages.get({ subdomain, page_id: id })).toMatchObject({ html })
    // What was typed stays in the editor.
    await page.getByText('Unsaved changes').waitFor()
    expect(await page.getByRole('textbox', { name: 'Page body' }).innerText()).toContain('Talks')
    await write(page, '<h1>Talks</h1>', 'Page body')
    await page.keyboard.press('Control+s')
    await isSaved(page)
    expect(await owner.pages.get({ subdomain, page_id: id })).toMatchObject({ html: '<h1>Talks</h1>' })
  })

  test('of a part names the pages, until a later save repairs them', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { id } = await owner.parts.create({ subdomain, name: 'menu', html: '<nav>Menu</nav>' })
    for (const slug of ['one', 'two'])
      await owner.pages.create({ subdomain, slug, html: "{% include 'menu' %}" })
    await owner.pages.create({ subdomain, slug: 'broken-before', html: '{% if %}' })
    const { page } = await dashboard.inSpace({ owner, subdomain }, `/parts/${id}`)
    await page.getByText('Up to date').waitFor({ state: 'attached' })
    await write(page, '{% for x in %}', 'Part body')
    await page.keyboard.press('Control+s')
    await alert(page).getByText('Saved. Visitors now see an error on 2 pages:').waitFor()
    expect(await alert(page).getByRole('link').allInnerTexts()).toEqual(['one', 'two'])
    await expectAccessible(page, 'saved-broken-part')
    await write(page, '<nav>More</nav>', 'Part body')
    await page.keyboard.press('Control+s')
    await alert(page).waitFor({ state: 'detached' })
  })

  test('of a record names the pages that use it, and can be undone', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    await owner.data.put({ subdomain, key: 'layout', value: 'plain' })
    await owner.parts.create({ subdomain, name: 'plain', html: '<main></main>' })
    await owner.pages.create({ subdomain, slug: 'one', html: '{% include data.layout %}' })
    await owner.pages.create({ subdomain, slug: 'broken-before', html: '{% if %}' })
    const { page } = await dashboard.inSpace({ owner, subdomain }, '/data/layout')
    await page.getByRole('textbox', { name: 'Value' }).getByText('"plain"').waitFor()
    await write(page, '"grand"', 'Value')
    await page.keyboard.press('Control+s')
    await alert(page).getByText('Saved. Visitors now see an error on one page:').waitFor()
    expect(await alert(page).getByRole('link').allInnerTexts()).toEqual(['one'])
    await expectAccessible(page, 'saved-broken-record')
    await alert(page).getByRole('button', { name: 'Undo' }).click()
    await alert(page).waitFor({ state: 'detached' })
    expect(await owner.data.get({ subdomain, key: 'layout' })).toMatchObject({ value: 'plain', version: 3 })
    // What was typed stays in the editor.
    await page.getByText('Unsaved').waitFor()
    expect(await page.getByRole('textbox', { name: 'Value' }).innerText()).toContain('grand')
  })

  test('by an undo says which pages fail', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    await owner.pages.create({ subdomain, slug: 'one', html: "{% include 'menu' %}" })
    await owner.parts.create({ subdomain, name: 'menu', html: '<nav>Menu</nav>' })
    const { changes } = await owner.history.list({ subdomain })
    const { page } = await dashboard.inSpace({ owner, subdomain }, `/history/${changes[0]!.id}`)
    await page.getByRole('button', { name: 'Undo this creation' }).click()
    await page.getByRole('region', { name: 'One page shows an error' }).waitFor()
    await expectAccessible(page, 'undone-broken')
  })
})
