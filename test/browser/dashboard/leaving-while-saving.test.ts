import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

/** Returns all values in the browser's local storage as one string. */
const storage = (page: Page) => page.evaluate<string>('Object.values(localStorage).join()')

/** Passes the calls of a procedure on to the service, but withholds the responses from the browser. */
const holdAnswers = async (page: Page, procedure: string) => {
  let reached = 0
  await page.route(`**/trpc/*${procedure}*`, async route => {
    await route.fetch()
    reached += 1
  })
  return {
    isReached: async () => {
      await expect.poll(() => reached, { message: `calls of ${procedure}` }).toBe(1)
    },
  }
}

/** Delays the calls of a procedure until `release` is called. */
const holdCalls = async (page: Page, procedure: string) => {
  let sent = 0
  const released = Promise.withResolvers<void>()
  await page.route(`**/trpc/*${procedure}*`, async route => {
    sent += 1
    await released.promise
    await route.fallback()
  })
  return {
    isSent: async () => {
      await expect.poll(() => sent, { message: `calls of ${procedure}` }).toBe(1)
    },
    release: released.resolve,
  }
}

/** Follows a link and confirms the dialog about unsaved changes. */
const leave = async (page: Page, link: string) => {
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
}

describe('a post', () => {
  test('has no unsaved changes if its window was reloaded after the save but before the response', async () => {
    const person = await dashboard.service.signUp()
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'First' })
    const { page, open } = await dashboard.as(person)
    await page.route('**/trpc/unsavedPosts.keep*', route => route.abort().catch(() => {}))
    await open(`/posts/${id}`)
    await write(page, 'Second', 'Markdown')
    await expect.poll(() => storage(page)).toContain('Second')
    const { isReached } = await holdAnswers(page, 'writing.updateDraft')
    await page.keyboard.press('ControlOrMeta+s')
    await isReached()
    await page.reload()
    await page.locator('.cm-content').getByText('Second').waitFor()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(() => storage(page)).not.toContain('Second')
  })

  test('is no longer listed as unsaved once it is created, even if the person has left the editor', async () => {
    const person = await dashboard.service.signUp()
    const { page, open } = await dashboard.as(person)
    await open('/new-post')
    const { isSent, release } = await holdCalls(page, 'writing.createDraft')
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('Only once')
    await page.keyboard.press('ControlOrMeta+s')
    await isSent()
    await leave(page, 'Posts')
    await expect.poll(async () => (await person.unsavedPosts.list({})).drafts).toHaveLength(1)
    release()
    await expect.poll(async () => (await person.unsavedPosts.list({})).drafts).toEqual([])
    expect((await person.writing.list({})).posts).toHaveLength(1)
  })
})

describe('a record', () => {
  test('has no unsaved changes if its window was reloaded after the save but before the response', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    await owner.data.put({ subdomain, key: 'motto', value: 'Grow' })
    const { page, open } = await dashboard.as(owner)
    await page.route('**/trpc/unsaved.keep*', route => route.abort().catch(() => {}))
    await open(`/spaces/${subdomain}/data/motto`)
    await write(page, '"Bloom"')
    await expect.poll(() => storage(page)).toContain('Bloom')
    const { isReached } = await holdAnswers(page, 'data.put')
    await page.keyboard.press('ControlOrMeta+s')
    await isReached()
    await page.reload()
    await page.getByText('Version 2, saved').waitFor()
    await page.locator('.cm-content').getByText('Bloom').waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => save.isDisabled()).toBe(true)
    await expect.poll(() => storage(page)).not.toContain('Bloom')
  })

  test('is no longer listed as unsaved once it is created, even if the person has left the editor', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/new-record`)
    const { isSent, release } = await holdCalls(page, 'records.create')
    await write(page, '"Bloom"')
    await page.getByLabel('Key').fill('motto')
    await page.keyboard.press('ControlOrMeta+s')
    await isSent()
    await leave(page, 'Data')
    await expect.poll(async () => (await owner.unsaved.list({ subdomain })).drafts).toHaveLength(1)
    release()
    await expect.poll(async () => (await owner.unsaved.list({ subdomain })).drafts).toEqual([])
  })
})

test('a page that is saved again while it is being saved is saved with what was typed meanwhile', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'home', html: 'first' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/pages/${id}`)
  const { isSent, release } = await holdCalls(page, 'editing.savePage')
  await write(page, 'second', 'Page body')
  await page.keyboard.press('ControlOrMeta+s')
  await isSent()
  await write(page, 'third', 'Page body')
  await page.keyboard.press('ControlOrMeta+s')
  release()
  await expect.poll(async () => (await owner.pages.get({ subdomain, page_id: id })).html).toBe('third')
  await page.getByText('All changes saved').waitFor()
})

test('a record that is saved again while it is being saved is saved with what was typed meanwhile', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.data.put({ subdomain, key: 'site', value: 'first' })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/data/site`)
  const { isSent, release } = await holdCalls(page, 'data.put')
  await write(page, '"second"', 'Value')
  await page.keyboard.press('ControlOrMeta+s')
  await isSent()
  await write(page, '"third"', 'Value')
  await page.keyboard.press('ControlOrMeta+s')
  release()
  await expect.poll(async () => (await owner.data.get({ subdomain, key: 'site' })).value).toBe('third')
  await page.getByText('Version 3, saved').waitFor()
})
