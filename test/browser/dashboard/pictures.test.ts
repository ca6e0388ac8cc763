import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const text = (page: Page) => page.getByRole('textbox', { name: /^(Page body|Part body|Markdown|HTML)$/ })

const edit = async (path: string) => {
  const window = await dashboard.as(site.space.owner)
  await window.open(path)
  await text(window.page).click()
  await window.page.keyboard.press('Control+End')
  return window
}

const editPage = async (html: string) => {
  const { id } = await site.page('home', html, 'scripted')
  return edit(`/spaces/${site.space.subdomain}/pages/${id}`)
}

const choose = (page: Page, name: string, buffer = Buffer.from(PIXEL, 'base64')) =>
  page.locator('input[type=file][accept="image/*"]').setInputFiles({ name, mimeType: 'image/png', buffer })

/** Pastes or drops a picture in the editor. */
const bring = (page: Page, type: 'paste' | 'drop') =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${PIXEL}'), sign => sign.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    const content = document.querySelector('.cm-content')
    const { left, top } = content.querySelector('.cm-line').getBoundingClientRect()
    const init = { bubbles: true, cancelable: true, clientX: left + 1, clientY: top + 5 }
    content.dispatchEvent('${type}' === 'paste'
      ? new ClipboardEvent('paste', { ...init, clipboardData: data })
      : new DragEvent('drop', { ...init, dataTransfer: data }))
  })()`)

const names = async () =>
  (await site.space.api.get<{ data: { name: string }[] }>('/files')).body.data.map(({ name }) => name).sort()

const TAG = /<img src="http:\/\/[2-9a-z]{16}\.files\.[^"]+" alt="">/

describe('a picture in the page editor', () => {
  test('is uploaded, inserted at the cursor and shown in the preview after the person chooses it', async () => {
    const { page } = await editPage('<h1>x</h1>')
    await choose(page, 'dot.png')
    await expect.poll(() => text(page).innerText()).toMatch(new RegExp(`^<h1>x</h1>${TAG.source}`))
    expect(await names()).toEqual(['dot.png'])
    await expectShown(
      page.frameLocator('iframe[title="Preview of home"]:not([aria-hidden])').getByRole('presentation'),
    )
    await expectAccessible(page, 'picture-inserted')
  })

  test('gets a generated name if it is pasted', async () => {
    const { page } = await editPage('<h1>x</h1>')
    await bring(page, 'paste')
    await expect.poll(() => text(page).innerText()).toMatch(TAG)
    expect((await names())[0]).toMatch(/^pasted-[\d-]+\.png$/)
  })

  test('is inserted where it was dropped, even if text is typed during the upload', async () => {
    const { page, context } = await editPage('<h1>x</h1>')
    const isHeld = Promise.withResolvers<void>()
    const isReleased = Promise.withResolvers<void>()
    await context.route(/files\.create/, async route => {
      isHeld.resolve()
      await isReleased.promise
      await route.continue()
    })
    await bring(page, 'drop')
    await isHeld.promise
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('typed ')
    isReleased.resolve()
    await expect.poll(() => text(page).innerText()).toMatch(new RegExp(`^typed ${TAG.source}<h1>x</h1>`))
  })

  test('can replace the file with the same name, or be kept beside it', async () => {
    const { id } = await site.file('dot.png', 'old')
    const { page } = await editPage('x')
    await choose(page, 'dot.png')
    const dialog = page.getByRole('dialog', { name: 'Replace dot.png?' })
    await dialog.getByRole('button', { name: 'Keep both' }).waitFor()
    await expectAccessible(page, 'picture-name-taken')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: 'Keep both' }).click()
    await expect.poll(() => text(page).innerText()).toMatch(TAG)
    expect(await names()).toEqual(['dot-2.png', 'dot.png'])
    await choose(page, 'dot.png')
    await dialog.getByRole('button', { name: 'Replace file' }).click()
    await expect.poll(() => text(page).innerText()).toContain(id)
    expect(await names()).toEqual(['dot-2.png', 'dot.png'])
  })

  test('is refused if it is too large, and the text stays unchanged', async () => {
    const { page } = await editPage('<h1>x</h1>')
    await choose(page, 'large.png', Buffer.alloc(10_485_761))
    await page.getByText('Files can be up to 10 MB').waitFor()
    expect(await text(page).innerText()).toBe('<h1>x</h1>')
    expect(await names()).toEqual([])
  })
})

test('a picture can be inserted into a part', async () => {
  const { id } = await site.part('nav', '<nav>x</nav>')
  const { page } = await edit(`/spaces/${site.space.subdomain}/parts/${id}`)
  await choose(page, 'dot.png')
  await expect.poll(() => text(page).innerText()).toMatch(TAG)
})

describe('a picture in the post editor', () => {
  test('is uploaded to a space that the person chooses, and inserted as Markdown with a description', async () => {
    const { page } = await edit('/new-post')
    await choose(page, 'dot.png')
    const dialog = page.getByRole('dialog', { name: 'Choose a space for the picture' })
    await dialog.getByRole('button', { name: 'Upload picture' }).waitFor()
    await expectAccessible(page, 'picture-space')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('button', { name: 'Upload picture' }).click()
    const description = page.getByRole('dialog', { name: 'Describe the picture' }).getByLabel('Description')
    await description.fill('A [red] dot')
    await description.press('Enter')
    await expect
      .poll(() => text(page).innerText())
      .toMatch(/^!\[A \\\[red\\\] dot\]\(http:\/\/[2-9a-z]{16}\.files\./)
    expect(await names()).toEqual(['dot.png'])
    await choose(page, 'other.png')
    await expect.poll(names).toEqual(['dot.png', 'other.png'])
  })

  test('can only be added by a person who has a space', async () => {
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/new-post')
    await text(page).click()
    await choose(page, 'dot.png')
    const dialog = page.getByRole('dialog', { name: 'You need a space for pictures' })
    const create = dialog.getByRole('link', { name: 'Create a space' })
    await create.waitFor()
    expect(await create.isVisible()).toBe(true)
  })
})
