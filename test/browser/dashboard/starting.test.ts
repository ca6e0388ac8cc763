import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

/** Maximum number of keys that a new user should have to press, not counting text. */
const MAX_KEYS = 25

/** Presses keys and counts them. */
class Keyboard {
  presses = 0
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async press(key: string) {
    this.presses += 1
    await this.page.keyboard.press(key)
  }

  /** Presses Tab until an element with this role and name has the focus. */
  async tabTo(role: Parameters<Page['getByRole']>[0], name: string) {
    const target = this.page.getByRole(role, { name, exact: true })
    await target.waitFor()
    while ((await target.and(this.page.locator(':focus')).count()) === 0) {
      if (this.presses >= MAX_KEYS) throw new Error(`It takes more than ${MAX_KEYS} keys to reach ${name}`)
      await this.press('Tab')
    }
  }
}

/** Opens the form for a new space by keyboard, and types a name. */
const beginSpace = async (name: string) => {
  const person = await dashboard.service.signUp()
  const { page, open } = await dashboard.as(person)
  await open('/')
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
  const keyboard = new Keyboard(page)
  await keyboard.press('Tab')
  await expectFocus(page, 'Skip to content')
  await keyboard.press('Enter')
  await keyboard.tabTo('link', 'New space')
  await keyboard.press('Enter')
  await page.locator('[data-autofocus]:focus').waitFor()
  await page.keyboard.insertText(name)
  return { person, page, keyboard }
}

describe('a new user who uses only the keyboard', () => {
  test('can create a complete public site from a starter', async () => {
    const { person, page, keyboard } = await beginSpace('Eastmere')
    await keyboard.tabTo('radio', 'Blog')
    for (let step = 0; step < 3; step++) await keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('radio', { name: 'Club' }).isChecked()).toBe(true)
    await keyboard.press('Enter')
    await page.getByText('Your site is live at').waitFor()
    expect(keyboard.presses).toBeLessThanOrEqual(MAX_KEYS)
    const { url } = await person.space.get({ subdomain: 'eastmere' })
    await expect.poll(() => page.getByRole('link', { name: 'Open site' }).getAttribute('href')).toBe(url)
    const visitor = await dashboard.window()
    await visitor.page.goto(url)
    await visitor.page
      .getByRole('heading', { name: 'Out on the river by six, home for breakfast.' })
      .waitFor()
  })

  test('can save a page in an empty space', async () => {
    const { person, page, keyboard } = await beginSpace('My notes')
    await keyboard.tabTo('radio', 'Blog')
    await keyboard.press('ArrowUp')
    await expect.poll(() => page.getByRole('radio', { name: 'Empty' }).isChecked()).toBe(true)
    await keyboard.tabTo('button', 'Create space')
    await keyboard.press('Enter')
    await page.getByText('It has no pages yet.').waitFor()
    await keyboard.tabTo('link', 'Create a page')
    await keyboard.press('Enter')
    await page.getByText('The home page: ').waitFor()
    await keyboard.press('Control+s')
    await page.getByText('It is live at').waitFor()
    const { url } = await person.space.get({ subdomain: 'my-notes' })
    expect(await page.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe(`${url}/`)
    expect(keyboard.presses).toBeLessThanOrEqual(MAX_KEYS)
    await expectAccessible(page, 'page-live')
  })
})

test('a new space is created from the chosen starter, and its step "Make it yours" is done after the first change', async () => {
  const person = await dashboard.service.signUp()
  const { page, open } = await dashboard.as(person)
  await open('/new-space')
  await page.getByLabel('Name').fill('Ana Reis')
  await page.getByRole('radio', { name: 'Portfolio' }).click()
  await expectAccessible(page, 'new-space-starters')
  const pictures =
    '[...document.images].filter(image => image.checkVisibility() && image.naturalWidth === 0).length'
  await expect.poll(() => page.evaluate<number>(pictures)).toBe(0)
  await page.getByRole('button', { name: 'Create space' }).click()
  // The home page opens where it can be edited, without code.
  await page.getByText('Your site is live at').waitFor()
  await page.getByText('Up to date', { exact: true }).waitFor({ state: 'attached' })
  expect(await page.getByRole('textbox', { name: 'Page body' }).count()).toBe(0)
  await expectAccessible(page, 'edit-on-the-page')
  await open('/spaces/ana-reis')
  await expectAccessible(page, 'overview-starter')
  await page.setViewportSize({ width: 1280, height: 800 })
  const steps = page.getByRole('listitem').filter({ hasText: 'Make it yours' })
  await steps.waitFor()
  await expect.poll(() => steps.getByText('(done)').count()).toBe(0)
  await page.getByRole('link', { name: 'Make it yours' }).click()
  await page.getByRole('heading', { level: 1, name: 'index' }).waitFor()
  await page.getByRole('button', { name: 'Show the code' }).click()
  await page.getByRole('textbox', { name: 'Page body' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('\n')
  await page.keyboard.insertText('{% comment %}mine{% endcomment %}')
  await page.getByText('Unsaved changes').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()
  // The notification with the address appears only after the first save of a new page.
  await expect.poll(() => page.getByText('It is live at').count()).toBe(0)
  await open('/spaces/ana-reis')
  await steps.getByText('(done)').waitFor()
})

test('the whole home page of a starter can be seen before it is chosen for a new space', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/new-space')
  await page.getByRole('radio', { name: 'Restaurant' }).click()
  await page.getByRole('button', { name: 'See the whole home page of Restaurant' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restaurant' })
  const picture = dialog.getByRole('img', { name: 'The home page of the starter Restaurant' })
  await expect
    .poll(() => picture.evaluate(image => Reflect.get(image, 'naturalHeight') as number))
    .toBeGreaterThan(1000)
  await expectAccessible(page, 'starter-look')
  await page.keyboard.press('Escape')
  await expectFocus(page, 'See the whole home page of Restaurant')
  await page.getByRole('radio', { name: 'Empty' }).click()
  await page.getByRole('button', { name: 'See the whole home page' }).waitFor({ state: 'detached' })
})

describe('a new page', () => {
  test('can start from a template, and undo restores the earlier text', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/new-page`)
    const body = page.getByRole('textbox', { name: 'Page body' })
    // Undo restores only what the editor has shown.
    await body.waitFor()
    await page.getByRole('button', { name: 'Start from' }).click()
    await page.getByRole('menuitem', { name: 'Gallery' }).waitFor()
    await expectAccessible(page, 'page-start-from')
    await page.getByRole('menuitem', { name: 'Gallery' }).click()
    await body.getByText('Pictures you upload').waitFor()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('gallery')
    await body.focus()
    await page.keyboard.press('Control+z')
    await body.getByText('<h1>{{ space.name }}</h1>').waitFor()
  })

  test('can start from a template while the code editor loads', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    const chosen = Promise.withResolvers<void>()
    await page.route(/\/CodeMirror-/, async route => {
      await chosen.promise
      await route.continue()
    })
    await open(`/spaces/${subdomain}/new-page`)
    await page.getByRole('button', { name: 'Start from' }).click()
    await page.getByRole('menuitem', { name: 'Gallery' }).click()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('gallery')
    chosen.resolve()
    await page.getByRole('textbox', { name: 'Page body' }).getByText('Pictures you upload').waitFor()
  })

  test('asks before a template replaces typed text', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/new-page`)
    const startFrom = async (template: string) => {
      await page.getByRole('button', { name: 'Start from' }).click()
      await page.getByRole('menuitem', { name: template }).click()
    }
    const body = page.getByRole('textbox', { name: 'Page body' })
    await body.waitFor()
    await startFrom('Gallery')
    await body.getByText('Pictures you upload').waitFor()
    await write(page, '<p>My own words</p>', 'Page body')
    await startFrom('Welcome')
    const dialog = page.getByRole('dialog', { name: 'Replace what you typed?' })
    await dialog.waitFor()
    await expectAccessible(page, 'page-replace-typed')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await body.getByText('My own words').waitFor()
    await startFrom('Welcome')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await body.getByText('Welcome to').waitFor()
  })

  test('can be created as a copy of another page, with a free slug', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    await owner.pages.create({ subdomain, slug: 'menu', kind: 'static', html: '<h1>Soup of the day</h1>' })
    await owner.pages.create({ subdomain, slug: 'menu-2', html: 'x' })
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/new-page`)
    const body = page.getByRole('textbox', { name: 'Page body' })
    await body.waitFor()
    await page.getByRole('button', { name: 'Start from' }).click()
    await page.getByRole('menuitem', { name: 'menu', exact: true }).click()
    await body.getByText('Soup of the day').waitFor()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('menu-3')
    await page.getByRole('button', { name: 'Create page' }).click()
    await page.getByText('It is live at').waitFor()
    const copy = (await owner.pages.list({ subdomain })).data.find(({ slug }) => slug === 'menu-3')
    expect(copy).toMatchObject({ kind: 'static' })
    await expect
      .poll(() => page.getByRole('link', { name: 'Open page' }).getAttribute('href'))
      .toBe(copy!.url)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('It is live at').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('button', { name: 'Start from' }).count()).toBe(0)
  })
})
