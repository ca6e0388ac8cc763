import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { uniqueName } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectVisible } from '../support/locators.ts'

const dashboard = useDashboard()

/** Opens the search with the keyboard. */
const search = async (page: Page) => {
  await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.and(page.locator(':focus')).waitFor()
  return field
}

const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true })

/** Waits until the search shows what it has found by name for the typed text. */
const isFound = (page: Page) =>
  page.getByRole('listbox', { name: 'Results' }).and(page.locator('[aria-busy=false]')).waitFor()

/** Waits until the view with this heading has the focus. */
const expectView = async (page: Page, heading: string) => {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.locator('main:focus').waitFor()
}

test('the search opens items of the space, other spaces and posts, with the keyboard alone', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'berry-page', html: 'x' })
  await owner.parts.create({ subdomain, name: 'berry-part', html: 'x' })
  await owner.data.put({ subdomain, key: 'berry-data', value: 1 })
  await owner.files.create({ subdomain, name: 'berry.txt', encoding: 'text', content: 'x' })
  await owner.writing.createDraft({ html: '<title>Berry picking</title>' })
  const other = uniqueName('orchard')
  await owner.spaces.create({ subdomain: other, name: 'Berry orchard' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [name, path] of [
    ['berry-page', /\/pages\/\w{16}$/],
    ['berry-part', /\/parts\/\w{16}$/],
    ['berry-data', /\/data\/berry-data$/],
    ['berry.txt', /\/files$/],
    ['Berry picking Draft', /\/posts\/\w{16}$/],
  ] as const) {
    await open(`/spaces/${subdomain}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const field = await search(page)
    await field.fill('berry')
    // Until then, another option could be the first one, which is selected without a key.
    await isFound(page)
    await option(page, name).waitFor()
    for (let i = 0; i < 12 && (await option(page, name).getAttribute('aria-selected')) !== 'true'; i++)
      await page.keyboard.press('ArrowDown')
    expect(await page.locator('[aria-selected=true]').getAttribute('id')).toBe(
      await field.getAttribute('aria-activedescendant'),
    )
    await page.keyboard.press('Enter')
    await page.waitForURL(url => path.test(url.pathname))
    await field.waitFor({ state: 'detached' })
  }
  await (await search(page)).fill('orchard')
  await option(page, `Berry orchard ${other}`).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(`/spaces/${other}`))
  await expectView(page, 'Berry orchard')
})

/** The text on the line of the code editor at the cursor. */
const currentLine = (page: Page) => page.locator('.cm-content:focus .cm-activeLine')

test('the search finds texts of pages, parts and records, and opens the editor at the line', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const lines = Array.from({ length: 200 }, (_, line) => `<p>line ${line + 1}</p>`)
  lines[149] = '<p>A ripe Medlar</p>'
  await owner.pages.create({ subdomain, slug: 'fruit', kind: 'static', html: lines.join('\n') })
  await owner.parts.create({ subdomain, name: 'fruit-list', html: '<ul>\n<li>medlars</li>\n</ul>' })
  await owner.data.put({ subdomain, key: 'harvest', value: { pears: [1, 2], 'medlar "big"': { kilos: 3 } } })
  await owner.posts.create({ html: '<title>October</title><p>Picking medlars' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(key => localStorage.setItem(key, '"page"'), `space-site-editor-view-${subdomain}`)
  const find = async (name: string) => {
    await (await search(page)).fill('medlar')
    await option(page, name).click()
  }
  await (await search(page)).fill('MEDLAR')
  await page.getByRole('option').filter({ hasText: 'October' }).locator('mark').waitFor()
  await expectAccessible(page, 'search-texts')
  await page.keyboard.press('Escape')
  await find('fruit <p>A ripe Medlar</p> line 150')
  await currentLine(page).getByText('A ripe Medlar').waitFor()
  await find('fruit-list <li>medlars</li> line 2')
  await currentLine(page).getByText('medlars').waitFor()
  await find('harvest {"pears":[1,2],"medlar \\"big\\"":{"kilos":3}} value')
  // The word alone is also on the line of the part, which is shown before.
  await currentLine(page).getByText('big').waitFor()
  await find('October October Picking medlars Post')
  await page.waitForURL(url => /\/posts\/\w{16}$/.test(url.pathname))
})

test('the search opens another line in the editor that is open', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'fruit', html: '<p>pear</p>\n<p>plum</p>' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}?at=3`)
  await currentLine(page).getByText('pear').waitFor()
  await (await search(page)).fill('plum')
  await option(page, 'fruit <p>plum</p> line 2').click()
  await expectVisible(currentLine(page).getByText('plum'))
})

test('the lists of pages, parts and records also search texts', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'fruit', html: '<p>pear</p>\n<p>medlar</p>' })
  await owner.parts.create({ subdomain, name: 'menu', html: 'medlar' })
  await owner.data.put({ subdomain, key: 'harvest', value: 'medlar', description: 'of medlars' })
  const { page, open } = await dashboard.as(owner)
  const texts = page.getByRole('list', { name: 'In the text' })
  for (const [path, noun, results] of [
    ['pages', 'page', ['fruit, line 2']],
    ['parts', 'part', ['menu, line 1']],
    ['data', 'record', ['harvest, description', 'harvest, value']],
  ] as const) {
    await open(`/spaces/${subdomain}/${path}`)
    const field = page.getByRole('searchbox', { name: `Search ${noun}s` })
    await field.fill('medlar')
    await texts.getByRole('link', { name: results[0] }).waitFor()
    expect(await texts.getByRole('link').allTextContents()).toEqual(results)
    await expectAccessible(page, `search-${path}`)
    await field.fill('nothing')
    await page.getByText(`No ${noun} matches “nothing”.`).waitFor()
    await texts.waitFor({ state: 'detached' })
  }
  await open(`/spaces/${subdomain}/pages`)
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('medlar')
  await texts.getByRole('link', { name: 'fruit, line 2' }).click()
  await currentLine(page).getByText('medlar').waitFor()
})

test('the search also finds pages by their titles', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  for (const slug of ['spring', 'summer'])
    await owner.pages.create({ subdomain, slug, kind: 'static', html: `<title>A walk in ${slug}</title>x` })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const field = await search(page)
  await field.fill('summer')
  await option(page, 'summer A walk in summer').waitFor()
  await field.fill('spring WALK')
  await option(page, 'A walk in spring spring').waitFor()
  await page.keyboard.press('Enter')
  await expectView(page, 'spring')
})

test('the search does not wait for the titles of pages', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'about', html: '<title>About us</title>x' })
  const { page, open } = await dashboard.as(owner)
  await page.route(/delivery\.pageTitles/, () => {})
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await (await search(page)).fill('about')
  await page.keyboard.press('Enter')
  await expectView(page, 'about')
})

test('pressing Enter right after typing waits for the new results and opens the first one', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.pages.create({ subdomain, slug: 'alpha', html: 'x' })
  const { id } = await owner.pages.create({ subdomain, slug: 'beta', html: 'x' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  const field = await search(page)
  await field.fill('alpha')
  await option(page, 'alpha').waitFor()
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  let isAsked = () => {}
  const asked = new Promise<void>(resolve => (isAsked = resolve))
  await page.route(/spaces\.findItems/, async route => {
    isAsked()
    await isReleased
    await route.continue()
  })
  await field.fill('beta')
  await page.keyboard.press('Enter')
  await asked
  await expectVisible(option(page, 'alpha'))
  release()
  await page.waitForURL(url => url.pathname.endsWith(`/pages/${id}`))
})

test('actions can be found and run in the search, and those of the open space come first', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Search' })
  await option(page, 'New page').waitFor()
  await expectAccessible(page, 'search')
  await field.fill('new pa')
  await page.locator('[aria-selected=true]').getByText('New page').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname.endsWith('/new-page'))
  await (await search(page)).fill('sign')
  await page.locator('[aria-selected=true]').getByText('Sign out').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the search says that nothing matches, and offers to try again if it fails', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  const field = await search(page)
  await field.fill('zzz')
  await page.getByText('Nothing matches “zzz”.').waitFor()
  await expectAccessible(page, 'search-empty')
  let isBroken = true
  await page.route(/writing\.find/, route =>
    isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  await field.fill('sec')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await option(page, 'Security You').waitFor()
  await expectAccessible(page, 'search-failed')
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
})

test('Escape closes the search and returns the focus', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/data`)
  const link = page.getByRole('navigation', { name: 'Space' }).getByRole('link', { name: 'Files' })
  await link.focus()
  const field = await search(page)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expectVisible(link.and(page.locator(':focus')))
})

test('the space switcher lists recent spaces, finds others and creates one, with the keyboard alone', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  for (let i = 0; i < 25; i++)
    await owner.spaces.create({ subdomain: uniqueName('many'), name: `Garden ${i}` })
  const other = uniqueName('meadow')
  await owner.spaces.create({ subdomain: other, name: 'Meadow' })
  await owner.pages.create({ subdomain, slug: 'home', html: 'x' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  const button = page.getByRole('button', { name: `Switch space: The ${subdomain}` })
  await button.focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Find a space' })
  await field.and(page.locator(':focus')).waitFor()
  await page.getByText('There are more spaces.').waitFor()
  await expectVisible(page.getByRole('option').first().getByText('Open now'))
  await expectAccessible(page, 'switcher')
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
    .toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await button.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await field.fill('MEAD')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(`/spaces/${other}`))
  await expectView(page, 'Meadow')
  await page.getByRole('button', { name: 'Switch space: Meadow' }).click()
  await field.fill('nothing like it')
  await page.getByText('No space matches').waitFor()
  await option(page, 'New space').click()
  await page.getByRole('heading', { level: 1, name: 'New space' }).waitFor()
  await expectVisible(page.getByRole('button', { name: 'Switch space: Spaces' }))
})

test.each(['', '/files'])(
  'at %j, the search opens the file picker, and the chosen files are uploaded',
  async view => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}${view}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Playwright needs a moment before it can intercept the picker, and a key opens the picker at once.
    const picker = page.waitForEvent('filechooser')
    await (await search(page)).fill('upload')
    await option(page, 'Upload files').waitFor()
    // Otherwise Enter would wait for the results, and the browser allows the picker only for five seconds after a key.
    await isFound(page)
    await page.keyboard.press('Enter')
    await (await picker).setFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText('1 file uploaded').first().waitFor()
    expect((await owner.files.list({ subdomain })).data.map(({ name }) => name)).toEqual(['chosen.txt'])
  },
)
