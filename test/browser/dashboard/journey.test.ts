import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Starter, starters } from '../../../routers/api/rules.ts'
import { requestHost } from '../../support/request-host.ts'
import { type DashboardWindow, PASSWORD, useDashboard } from '../support/dashboard.ts'
import { button, fillIn } from '../support/locators.ts'
import { expectNotice } from '../support/notices.ts'
import { bar, code, expectShown, field, staticDraft, upToDate } from '../support/page-preview.ts'

const dashboard = useDashboard()

/** Maximum number of clicks from the form for a new account to a changed headline, picture and color. Forms are sent by Enter. */
const MAX_CLICKS = 10

/** How many of them a new person needs until the form for a space. */
const CLICKS_TO_SPACE = 1

/** The headline and a picture on the home page of each starter. The headline of a link page is the name of its space. */
const PLACES: Record<Starter, { label: string; headline: string; picture: string; isAlone?: true }> = {
  blog: { label: 'Blog', headline: 'h1', picture: 'img.hero' },
  portfolio: { label: 'Portfolio', headline: 'h1', picture: '.work li img' },
  // Its only picture is in a part.
  documentation: { label: 'Documentation', headline: 'h1', picture: 'header img', isAlone: true },
  event: { label: 'Event', headline: 'h1', picture: '.people img' },
  restaurant: { label: 'Restaurant', headline: 'h1', picture: 'img.fish' },
  club: { label: 'Club', headline: 'h1', picture: 'img.eight' },
  personal: { label: 'Personal page', headline: 'h1', picture: 'img.cat' },
  links: { label: 'Link page', headline: '.line', picture: 'img.portrait' },
}

const PICTURE = {
  name: 'new.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
}

/** A window whose clicks are counted. */
const counted = ({ page }: DashboardWindow) => {
  const window = {
    page,
    clicks: 0,
    click: async (target: Locator) => {
      window.clicks += 1
      await target.click()
    },
  }
  return window
}

test('a new person reaches the form for a space in one click', async () => {
  const window = await dashboard.anonymous()
  const { page, click } = counted(window)
  await window.open('/sign-up')
  await fillIn(page, { Handle: 'newcomer', Password: PASSWORD })
  await page.getByLabel('Password', { exact: true }).press('Enter')
  const steps = [button(page, 'I have saved them')]
  for (const step of steps) await click(step)
  await page.getByRole('radio', { name: 'Blog' }).waitFor()
  expect(steps).toHaveLength(CLICKS_TO_SPACE)
})

test.each(starters)(
  'a space from the starter %s gets a headline, a picture and a color without code',
  async starter => {
    const { label, headline, picture, isAlone } = PLACES[starter]
    const subdomain = `my-${starter}`
    const owner = await dashboard.service.signUp()
    const signedIn = await dashboard.as(owner)
    const window = counted(signedIn)
    const { page, click } = window
    await signedIn.open('/new-space')
    await click(page.getByRole('radio', { name: label }))
    await page.getByLabel('Name').fill(`My ${starter}`)
    await page.getByLabel('Name').press('Enter')
    const shown = staticDraft(page)
    // What is edited on the page is changed in the code editor, which is hidden, and may load after the preview.
    await page.locator('.cm-content').first().waitFor({ state: 'attached' })
    await upToDate(page)

    await click(shown.locator(headline).first())
    await click(page.getByTitle('Edit text'))
    await field(page).fill('Words of my own')
    await field(page).press('Enter')
    await expectShown(shown.getByText('Words of my own'))
    // Another draft may follow, whose frame would replace this one during the click.
    await upToDate(page)

    await click(shown.locator(picture).first())
    // A picture in a part can be replaced once the part has opened beside.
    await bar(page).getByRole('button', { name: 'Replace picture' }).waitFor()
    const source = () => shown.locator(picture).first().getAttribute('src')
    let before: string | null = null
    // Opening the part shows the draft in a new frame.
    await expect.poll(async () => (before = await source())).not.toBeNull()
    await click(page.getByTitle('Replace picture'))
    await choose(page, click, isAlone === true)
    await expect.poll(source).not.toBe(before)
    await click(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('All changes saved').waitFor()

    expect(await code(page).count()).toBe(0)
    await click(page.getByRole('link', { name: 'Look', exact: true }))
    const accent = page.getByRole('textbox', { name: 'Accent, light' })
    await click(accent)
    await accent.fill('#123456')
    await accent.press('Enter')
    await expectNotice(page, /^Saved as version/)
    expect(CLICKS_TO_SPACE + window.clicks).toBeLessThanOrEqual(MAX_CLICKS)
    const { host } = new URL((await owner.space.get({ subdomain })).url)
    const { text } = await requestHost(dashboard.service, host, '/')
    expect(text).toContain('Words of my own')
    expect(text).toContain('--accent: #123456;')
    const { data: files } = await owner.files.list({ subdomain })
    const chosen = files.find(({ name }) => name === (isAlone ? PICTURE.name : 'icon.svg'))
    expect(text).toContain(`src="${chosen!.url}"`)
  },
)

const choose = async (page: Page, click: (target: Locator) => Promise<void>, isUploaded: boolean) => {
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' })
  if (!isUploaded) return click(dialog.getByRole('button', { name: 'icon.svg' }))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    click(dialog.getByRole('button', { name: 'Upload a picture' })),
  ])
  await chooser.setFiles(PICTURE)
}
