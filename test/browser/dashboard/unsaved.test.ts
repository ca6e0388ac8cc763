import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'
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

test('unsaved changes of a part survive a reload', async () => {
  const { id } = await editing.owner.parts.create({
    subdomain: editing.subdomain,
    name: 'nav',
    html: '<nav></nav>',
  })
  const page = await editing.open(`/parts/${id}`)
  await write(page, '<nav>changed', BODY)
  await editing.isKept('part', id, 'changed')
  await page.reload()
  await restored(page).waitFor()
  await expect.poll(() => text(page).innerText()).toContain('<nav>changed')
})

test('unsaved changes of a record survive a reload, and conflict with a newer version', async () => {
  await editing.owner.data.put({ subdomain: editing.subdomain, key: 'event', value: { title: 'first' } })
  const page = await editing.open('/data/event?at=/title')
  await write(page, '{"title": "mine"}')
  await page.getByLabel('Description').fill('An event')
  await editing.isKept('record', 'event', 'An event')
  await page.reload()
  await restored(page).waitFor()
  await text(page).getByText('"mine"').waitFor()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('An event')
  await editing.owner.data.put({ subdomain: editing.subdomain, key: 'event', value: { title: 'theirs' } })
  await page.reload()
  await page.getByText('"theirs"').first().waitFor()
  await page.getByText('"mine"').first().waitFor()
  await expect
    .poll(async () => (await editing.owner.data.get({ subdomain: editing.subdomain, key: 'event' })).value)
    .toEqual({ title: 'theirs' })
})

test('a new record survives a reload', async () => {
  const page = await editing.open('/new-record')
  const sendAgain = await keepFromService(page)
  await page.getByLabel('Key').fill('prices')
  await write(page, '{"tea": 3}')
  await isStored(page, 'tea')
  await sendAgain()
  await page.reload()
  await restored(page).waitFor()
  await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('prices')
  await text(page).getByText('"tea"').waitFor()
  await page.getByRole('button', { name: 'Create record' }).click()
  await expectNotice(page, 'Record prices created')
  await restored(page).waitFor({ state: 'hidden' })
  await expect
    .poll(async () => (await editing.owner.data.get({ subdomain: editing.subdomain, key: 'prices' })).value)
    .toEqual({ tea: 3 })
})

test('what was typed last survives a reload, even if the service kept an earlier text after it was typed', async () => {
  const { id } = await editing.createPage()
  const page = await editing.open(`/pages/${id}`)
  const typed = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  let requests = 0
  await page.route(/\/trpc\/unsaved\.keep/, async route => {
    requests += 1
    if (requests > 1) return route.continue()
    await typed.promise
    // The service keeps the text, but the answer does not reach the editor.
    await route.fetch()
    arrived.resolve()
  })
  const sent = page.waitForRequest(/\/trpc\/unsaved\.keep/)
  await write(page, '<p>earlier</p>', BODY)
  await sent
  await write(page, '<p>later</p>', BODY)
  await isStored(page, 'later')
  typed.resolve()
  await arrived.promise
  await page.reload()
  await restored(page).waitFor()
  await expect.poll(() => text(page).innerText()).toContain('<p>later</p>')
  await editing.isKept('page', id, 'later')
})

test('what is sent while the editor is left is restored when it opens again, even if the service answers too early', async () => {
  const { id } = await editing.createPage()
  const page = await editing.open(`/pages/${id}`)
  const isOpenAgain = Promise.withResolvers<void>()
  const isSent = Promise.withResolvers<void>()
  await page.route(/\/trpc\/unsaved\.keep/, async route => {
    await isOpenAgain.promise
    await route.fulfill({ response: await route.fetch() })
    isSent.resolve()
  })
  await write(page, '<p>typed</p>', BODY)
  await isStored(page, 'typed')
  await page.getByRole('link', { name: 'Pages', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
  // The service answers the new editor before it gets the draft, and the answer arrives after the editor knows of that.
  await page.route(
    /\/trpc\/[^?]*unsaved\.get/,
    async route => {
      const response = await route.fetch()
      isOpenAgain.resolve()
      await isSent.promise
      await expect
        .poll(() => page.evaluate<string>('Object.values(localStorage).join()'))
        .toContain('"isSent":true')
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goBack()
  await restored(page).waitFor()
  await expect.poll(() => text(page).innerText()).toContain('<p>typed</p>')
})

describe('unsaved changes of a post', () => {
  const openPost = async (path: string) => {
    const window = await dashboard.as(editing.owner)
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
    const { id } = await editing.owner.writing.createDraft({ format: 'markdown', markdown: 'First' })
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
    await expect.poll(async () => (await editing.owner.unsavedPosts.list({})).drafts).toEqual([])
  })

  test('appear in another browser, even if the post was never saved', async () => {
    const page = await openPost('/new-post')
    await type(page, 'On a train')
    await expect
      .poll(async () => (await editing.owner.unsavedPosts.list({})).drafts.map(({ name }) => name))
      .toEqual(['On a train'])
    const other = await dashboard.as(editing.owner)
    await other.open('/posts')
    await other.page.getByRole('link', { name: 'On a train' }).click()
    await restored(other.page).waitFor()
    await expect.poll(() => text(other.page).innerText()).toContain('On a train')
  })
})
