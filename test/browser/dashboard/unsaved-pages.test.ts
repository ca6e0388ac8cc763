import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectShown } from '../support/page-preview.ts'
import {
  BODY,
  confirmDiscard,
  isStored,
  keepFromService,
  restored,
  text,
  useEditing,
} from '../support/unsaved.ts'

const dashboard = useDashboard()
const editing = useEditing(dashboard)

describe('unsaved changes of a page', () => {
  test('survive a reload, and can be discarded', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    // The browser stores unsaved changes at once, so nothing here waits for the service.
    const sendAgain = await keepFromService(page)
    await write(page, '<p>changed', BODY)
    await page.getByLabel('Slug').fill('start')
    await isStored(page, '"slug":"start"')
    await sendAgain()
    await page.reload()
    await restored(page).waitFor()
    await text(page).getByText('<p>changed').waitFor()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('start')
    await expectAccessible(page, 'draft-restored')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await confirmDiscard(page)
    await text(page).getByText('<p>first</p>').waitFor()
    await restored(page).waitFor({ state: 'hidden' })
    await page.getByText('All changes saved').waitFor()
    await page.reload()
    await text(page).getByText('<p>first</p>').waitFor()
    await page.getByText('All changes saved').waitFor()
    await expect
      .poll(async () => (await editing.owner.pages.get({ subdomain: editing.subdomain, page_id: id })).slug)
      .toBe('home')
  })

  test('appear in another browser, and are gone after they are saved there', async () => {
    const { id } = await editing.createPage()
    const first = await editing.open(`/pages/${id}`)
    await write(first, '<p>typed here', BODY)
    await editing.isKept('page', id, 'typed here')
    await first.close()
    const second = await editing.open(`/pages/${id}`)
    await restored(second).waitFor()
    await text(second).getByText('<p>typed here').waitFor()
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('All changes saved').waitFor()
    await restored(second).waitFor({ state: 'hidden' })
    await expect
      .poll(async () => (await editing.owner.unsaved.list({ subdomain: editing.subdomain })).drafts)
      .toEqual([])
    await expect
      .poll(async () => (await editing.owner.pages.get({ subdomain: editing.subdomain, page_id: id })).html)
      .toBe('<p>typed here')
  })

  test('overwrite a newer version only after a confirmation', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    await write(page, '<p>mine', BODY)
    await editing.isKept('page', id, 'mine')
    await page.goto('about:blank')
    await editing.owner.pages.update({
      subdomain: editing.subdomain,
      page_id: id,
      html: '<p>theirs</p>',
      slug: 'renamed',
    })
    const again = await editing.open(`/pages/${id}`)
    await restored(again).waitFor()
    await again.getByText(/A newer version of this page was saved by/).waitFor()
    await again.getByRole('button', { name: 'Save', exact: true }).click()
    await again.getByText('You changed this page in another window').waitFor()
    await expect
      .poll(async () => (await editing.owner.pages.get({ subdomain: editing.subdomain, page_id: id })).html)
      .toBe('<p>theirs</p>')
    await again.getByRole('button', { name: 'Save your version' }).click()
    await again.getByText('All changes saved').waitFor()
    await expect
      .poll(() => editing.owner.pages.get({ subdomain: editing.subdomain, page_id: id }))
      .toMatchObject({
        slug: 'renamed',
        html: '<p>mine',
      })
  })

  test('are listed even if the list was read just before the service kept them', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    const isRead = Promise.withResolvers<void>()
    const isKept = Promise.withResolvers<void>()
    await page.route(/trpc\/unsaved\.keep/, async route => {
      await isRead.promise
      await route.fulfill({ response: await route.fetch() })
      // Give the dashboard time to handle this answer before the list arrives.
      await page.evaluate('new Promise(done => setTimeout(done, 500))')
      isKept.resolve()
    })
    await page.route(/trpc\/.*unsaved\.list/, async route => {
      const response = await route.fetch()
      isRead.resolve()
      await isKept.promise
      await route.fulfill({ response })
    })
    await write(page, '<p>left', BODY)
    await page.getByRole('link', { name: 'Pages', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    const drafts = page.getByRole('list', { name: 'Your unsaved changes' })
    await expect.poll(() => drafts.getByRole('link', { name: 'home' }).count()).toBe(1)
    // The list may be on its way once more, and its handler fails when the window closes.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('are kept and listed after the person leaves the editor', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    await write(page, '<p>left', BODY)
    await page.getByRole('link', { name: 'Pages', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByText('They are kept as a draft').waitFor()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    const drafts = page.getByRole('list', { name: 'Your unsaved changes' })
    await drafts.getByRole('link', { name: 'home' }).waitFor()
    await expectAccessible(page, 'draft-list')
    await drafts.getByRole('button', { name: 'Discard the changes to home' }).click()
    await page.getByText('You can’t restore them').waitFor()
    await expectAccessible(page, 'draft-discard')
    await confirmDiscard(page)
    await drafts.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'home', exact: true }).click()
    await text(page).getByText('<p>first</p>').waitFor()
  })

  test('replace those from another window of the same person only after a confirmation', async () => {
    const { id } = await editing.createPage()
    const [first, second] = [await editing.open(`/pages/${id}`), await editing.open(`/pages/${id}`)]
    await text(second).getByText('<p>first</p>').waitFor()
    await write(first, '<p>in the first window', BODY)
    await editing.isKept('page', id, 'in the first window')
    await write(second, '<p>in the second window', BODY)
    const notice = second.getByText('You have other unsaved changes in another window')
    await notice.waitFor()
    await editing.isKept('page', id, 'in the first window')
    await expectAccessible(second, 'draft-rival')
    await second.getByRole('button', { name: 'Keep these instead' }).click()
    await notice.waitFor({ state: 'hidden' })
    await editing.isKept('page', id, 'in the second window')
    await write(first, '<p>in the first window again', BODY)
    await first.getByText('You have other unsaved changes in another window').waitFor()
    // A save in one window does not discard the unsaved changes of the other window.
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('All changes saved').waitFor()
    await editing.isKept('page', id, 'in the second window')
    expect((await editing.owner.pages.get({ subdomain: editing.subdomain, page_id: id })).html).toBe(
      '<p>in the first window again',
    )
  })

  test('are announced to others who edit the page', async () => {
    const { id } = await editing.createPage()
    const other = await editing.site.space.join()
    const mine = await editing.open(`/pages/${id}`)
    await write(mine, '<p>mine', BODY)
    await editing.isKept('page', id, 'mine')
    const theirs = await editing.open(`/pages/${id}`, other)
    await theirs.getByText(`${editing.owner.handle} has unsaved changes`).waitFor()
    await expect.poll(() => text(theirs).innerText()).toContain('first')
    await expectAccessible(theirs, 'draft-others')
    await write(theirs, '<p>theirs', BODY)
    await mine.getByText(`${other.handle} has unsaved changes`).waitFor({ timeout: 100_000 })
  })

  test('can be previewed by a participant who has the link', async () => {
    const { id } = await editing.createPage()
    const other = await editing.site.space.join()
    const page = await editing.open(`/pages/${id}`)
    await write(page, '<h2>Not public yet</h2>', BODY)
    await page.getByRole('button', { name: 'Share a preview of this draft' }).click()
    const link = await page.getByLabel('Link to the preview', { exact: true }).inputValue()
    await expectAccessible(page, 'draft-share')
    const window = await dashboard.as(other)
    await window.page.goto(link)
    await window.page.getByText(`Draft by ${editing.owner.handle}`).waitFor()
    const frame = window.page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
    await expectShown(frame.frameLocator('iframe').getByRole('heading', { name: 'Not public yet' }))
    await expectAccessible(window.page, 'draft-shared')
    const outsider = await dashboard.as(await dashboard.service.signUp())
    await outsider.page.goto(link)
    await outsider.page.getByRole('heading', { level: 1, name: 'No such space' }).waitFor()
    await expect.poll(() => outsider.page.getByText('Not public yet').count()).toBe(0)
  })
})

describe('a new page', () => {
  test('survives a reload, is kept as a draft and created later', async () => {
    await editing.createPage()
    const page = await editing.open('/pages')
    await page.getByRole('link', { name: 'New page' }).click()
    const sendAgain = await keepFromService(page)
    await write(page, '<p>fresh', BODY)
    await page.getByLabel('Slug').fill('fresh')
    await isStored(page, '"slug":"fresh"')
    await sendAgain()
    await page.reload()
    await restored(page).waitFor()
    await text(page).getByText('<p>fresh').waitFor()
    await page.getByRole('button', { name: 'Keep as draft' }).click()
    const drafts = page.getByRole('list', { name: 'Your unsaved changes' })
    await drafts.getByText('Never saved').waitFor()
    await expectAccessible(page, 'draft-new')
    await page.setViewportSize({ width: 1280, height: 800 })
    // Another new page does not start with this draft.
    await page.getByRole('link', { name: 'New page' }).click()
    await page.getByRole('button', { name: 'Create page' }).waitFor()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('')
    await page.getByRole('link', { name: 'Pages', exact: true }).click()
    await drafts.getByRole('link', { name: 'fresh' }).click()
    await text(page).getByText('<p>fresh').waitFor()
    await page.getByRole('button', { name: 'Create page' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect
      .poll(async () => (await editing.owner.unsaved.list({ subdomain: editing.subdomain })).drafts)
      .toEqual([])
    const { data } = await editing.owner.pages.list({ subdomain: editing.subdomain })
    expect(data.map(({ slug }) => slug).toSorted()).toEqual(['fresh', 'home'])
  })
})
