import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, PASSWORD, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown } from '../support/preview.ts'

const dashboard = useDashboard()
let site: TestSite
let owner: Person
let subdomain: string

beforeEach(async () => {
  site = await newSite(dashboard.service)
  ;({ owner, subdomain } = site.space)
})

const BODY = /^(Page|Part) body$/
const text = (page: Page) => page.locator('.cm-content')
const restored = (page: Page) => page.getByText('Restored your unsaved changes')
const open = async (path: string, person = owner) => {
  const window = await dashboard.as(person)
  await window.open(`/spaces/${subdomain}${path}`)
  return window.page
}
const createPage = () => owner.pages.create({ subdomain, slug: 'home', kind: 'static', html: '<p>first</p>' })
/** Waits until the draft on the service contains a string. */
const isKept = async (kind: 'page' | 'part' | 'record', thing: string, content: string) => {
  await expect
    .poll(async () => JSON.stringify((await owner.unsaved.get({ subdomain, kind, thing })).draft))
    .toContain(content)
}
/** Waits until the browser's local storage contains a string. */
const isStored = async (page: Page, content: string) => {
  await expect.poll(() => page.evaluate<string>('Object.values(localStorage).join()')).toContain(content)
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}
const confirmDiscard = (page: Page) => page.getByRole('button', { name: 'Discard', exact: true }).click()

describe('unsaved changes of a page', () => {
  test('survive a reload, and can be discarded', async () => {
    const { id } = await createPage()
    const page = await open(`/pages/${id}`)
    await write(page, '<p>changed', BODY)
    await page.getByLabel('Slug').fill('start')
    // The browser stores unsaved changes at once, so nothing here waits for the service.
    await isStored(page, 'start')
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
    await expect.poll(async () => (await owner.pages.get({ subdomain, page_id: id })).slug).toBe('home')
  })

  test('appear in another browser, and are gone after they are saved there', async () => {
    const { id } = await createPage()
    const first = await open(`/pages/${id}`)
    await write(first, '<p>typed here', BODY)
    await isKept('page', id, 'typed here')
    await first.close()
    const second = await open(`/pages/${id}`)
    await restored(second).waitFor()
    await text(second).getByText('<p>typed here').waitFor()
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('All changes saved').waitFor()
    await restored(second).waitFor({ state: 'hidden' })
    await expect.poll(async () => (await owner.unsaved.list({ subdomain })).drafts).toEqual([])
    await expect
      .poll(async () => (await owner.pages.get({ subdomain, page_id: id })).html)
      .toBe('<p>typed here')
  })

  test('overwrite a newer version only after a confirmation', async () => {
    const { id } = await createPage()
    const page = await open(`/pages/${id}`)
    await write(page, '<p>mine', BODY)
    await isKept('page', id, 'mine')
    await page.goto('about:blank')
    await owner.pages.update({ subdomain, page_id: id, html: '<p>theirs</p>', slug: 'renamed' })
    const again = await open(`/pages/${id}`)
    await restored(again).waitFor()
    await again.getByText('Someone else saved this page').waitFor()
    await again.getByRole('button', { name: 'Save', exact: true }).click()
    await again.getByText('Someone else changed this page').waitFor()
    await expect
      .poll(async () => (await owner.pages.get({ subdomain, page_id: id })).html)
      .toBe('<p>theirs</p>')
    await again.getByRole('button', { name: 'Save your version' }).click()
    await again.getByText('All changes saved').waitFor()
    await expect
      .poll(() => owner.pages.get({ subdomain, page_id: id }))
      .toMatchObject({
        slug: 'renamed',
        html: '<p>mine',
      })
  })

  test('are kept and listed after the person leaves the editor', async () => {
    const { id } = await createPage()
    const page = await open(`/pages/${id}`)
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
    const { id } = await createPage()
    const [first, second] = [await open(`/pages/${id}`), await open(`/pages/${id}`)]
    await text(second).getByText('<p>first</p>').waitFor()
    await write(first, '<p>in the first window', BODY)
    await isKept('page', id, 'in the first window')
    await write(second, '<p>in the second window', BODY)
    const notice = second.getByText('You have other unsaved changes in another window')
    await notice.waitFor()
    await isKept('page', id, 'in the first window')
    await expectAccessible(second, 'draft-rival')
    await second.getByRole('button', { name: 'Keep these instead' }).click()
    await notice.waitFor({ state: 'hidden' })
    await isKept('page', id, 'in the second window')
    await write(first, '<p>in the first window again', BODY)
    await first.getByText('You have other unsaved changes in another window').waitFor()
    // A save in one window does not discard the unsaved changes of the other window.
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('All changes saved').waitFor()
    await isKept('page', id, 'in the second window')
    expect((await owner.pages.get({ subdomain, page_id: id })).html).toBe('<p>in the first window again')
  })

  test('are announced to others who edit the page', async () => {
    const { id } = await createPage()
    const other = await site.space.join()
    const mine = await open(`/pages/${id}`)
    await write(mine, '<p>mine', BODY)
    await isKept('page', id, 'mine')
    const theirs = await open(`/pages/${id}`, other)
    await theirs.getByText(`${owner.handle} has unsaved changes`).waitFor()
    await expect.poll(() => text(theirs).innerText()).toContain('first')
    await expectAccessible(theirs, 'draft-others')
    await write(theirs, '<p>theirs', BODY)
    await mine.getByText(`${other.handle} has unsaved changes`).waitFor({ timeout: 100_000 })
  })

  test('can be previewed by a participant who has the link', async () => {
    const { id } = await createPage()
    const other = await site.space.join()
    const page = await open(`/pages/${id}`)
    await write(page, '<h2>Not public yet</h2>', BODY)
    await page.getByRole('button', { name: 'Share a preview of this draft' }).click()
    const link = await page.getByLabel('Link to the preview', { exact: true }).inputValue()
    await expectAccessible(page, 'draft-share')
    const window = await dashboard.as(other)
    await window.page.goto(link)
    await window.page.getByText(`Draft by ${owner.handle}`).waitFor()
    const frame = window.page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
    await expectShown(frame.frameLocator('iframe').getByRole('heading', { name: 'Not public yet' }))
    await expectAccessible(window.page, 'draft-shared')
    const outsider = await dashboard.as(await dashboard.service.signUp())
    await outsider.page.goto(link)
    await outsider.page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => outsider.page.getByText('Not public yet').count()).toBe(0)
  })
})

describe('a new page', () => {
  test('survives a reload, is kept as a draft and created later', async () => {
    await createPage()
    const page = await open('/pages')
    await page.getByRole('link', { name: 'New page' }).click()
    await write(page, '<p>fresh', BODY)
    await page.getByLabel('Slug').fill('fresh')
    await isStored(page, 'fresh')
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
    await expect.poll(async () => (await owner.unsaved.list({ subdomain })).drafts).toEqual([])
    const { data } = await owner.pages.list({ subdomain })
    expect(data.map(({ slug }) => slug).toSorted()).toEqual(['fresh', 'home'])
  })
})

test('unsaved changes of a part survive a reload', async () => {
  const { id } = await owner.parts.create({ subdomain, name: 'nav', html: '<nav></nav>' })
  const page = await open(`/parts/${id}`)
  await write(page, '<nav>changed', BODY)
  await isKept('part', id, 'changed')
  await page.reload()
  await restored(page).waitFor()
  await expect.poll(() => text(page).innerText()).toContain('<nav>changed')
})

test('unsaved changes of a record survive a reload, and conflict with a newer version', async () => {
  await owner.data.put({ subdomain, key: 'event', value: { title: 'first' } })
  const page = await open('/data/event')
  await write(page, '{"title": "mine"}')
  await page.getByLabel('Description').fill('An event')
  await isKept('record', 'event', 'An event')
  await page.reload()
  await restored(page).waitFor()
  await text(page).getByText('"mine"').waitFor()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('An event')
  await owner.data.put({ subdomain, key: 'event', value: { title: 'theirs' } })
  await page.reload()
  await page.getByText('"theirs"').first().waitFor()
  await page.getByText('"mine"').first().waitFor()
  await expect
    .poll(async () => (await owner.data.get({ subdomain, key: 'event' })).value)
    .toEqual({ title: 'theirs' })
})

test('a new record survives a reload', async () => {
  const page = await open('/new-record')
  await page.getByLabel('Key').fill('prices')
  await write(page, '{"tea": 3}')
  await isStored(page, 'tea')
  await page.reload()
  await restored(page).waitFor()
  await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('prices')
  await text(page).getByText('"tea"').waitFor()
  await page.getByRole('button', { name: 'Create record' }).click()
  await expectNotice(page, 'Record prices created')
  await restored(page).waitFor({ state: 'hidden' })
  await expect
    .poll(async () => (await owner.data.get({ subdomain, key: 'prices' })).value)
    .toEqual({ tea: 3 })
})

describe('unsaved changes of a post', () => {
  const openPost = async (path: string) => {
    const window = await dashboard.as(owner)
    await window.open(path)
    await text(window.page).waitFor()
    return window.page
  }
  const type = async (page: Page, content: string) => {
    await text(page).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(content)
  }

  test('survive a reload, and are discarded on request', async () => {
    const { id } = await owner.drafts.create({ format: 'markdown', markdown: 'First' })
    const page = await openPost(`/posts/${id}`)
    await type(page, 'Second')
    await isStored(page, 'Second')
    await page.reload()
    await restored(page).waitFor()
    await text(page).getByText('Second').waitFor()
    await expectAccessible(page, 'draft-post')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await confirmDiscard(page)
    await text(page).getByText('First').waitFor()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await owner.unsavedPosts.list({})).drafts).toEqual([])
  })

  test('appear in another browser, even if the post was never saved', async () => {
    const page = await openPost('/new-post')
    await type(page, 'On a train')
    await expect
      .poll(async () => (await owner.unsavedPosts.list({})).drafts.map(({ name }) => name))
      .toEqual(['On a train'])
    const other = await dashboard.as(owner)
    await other.open('/posts')
    await other.page.getByRole('link', { name: 'On a train' }).click()
    await restored(other.page).waitFor()
    await expect.poll(() => text(other.page).innerText()).toContain('On a train')
  })
})

test("signing out deletes the browser's copies of drafts that the service has stored", async () => {
  const { id } = await createPage()
  const page = await open(`/pages/${id}`)
  await write(page, '<p>secret', BODY)
  await isKept('page', id, 'secret')
  await isStored(page, '"isSent":true')
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/`)
  await signOut(page)
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('secret')
})

test('a draft that was discarded while the service could not be reached stays discarded after signing out', async () => {
  const { id } = await createPage()
  const page = await open(`/pages/${id}`)
  await write(page, '<p>discarded', BODY)
  await isKept('page', id, 'discarded')
  await isStored(page, '"isSent":true')
  await page.route(/unsaved\.discard/, route => route.abort())
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/spaces/${subdomain}/pages/${id}`)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await confirmDiscard(page)
  await isStored(page, 'gone')
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/`)
  await signOut(page)
  await page.getByLabel('Handle').fill(owner.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  await page.goto(`${dashboard.service.core.addresses.apiRoot}/admin/spaces/${subdomain}/pages/${id}`)
  await text(page).getByText('<p>first</p>').waitFor()
  await expect
    .poll(async () => (await owner.unsaved.get({ subdomain, kind: 'page', thing: id })).draft)
    .toBe(null)
})

test('signing out of an editor keeps its unsaved changes and opens the sign-in view', async () => {
  const { id } = await createPage()
  const page = await open(`/pages/${id}`)
  await page.getByLabel('Slug').fill('secret')
  await page.getByText('Unsaved changes').waitFor()
  await signOut(page)
  await isKept('page', id, 'secret')
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('secret')
})
