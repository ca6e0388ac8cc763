import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()

let space: TestSpace
beforeEach(async () => {
  space = await dashboard.service.createSpace()
})

const openWindow = async () => {
  const { page, context, open } = await dashboard.as(space.owner)
  await open(`/spaces/${space.subdomain}`)
  await keepUndoOffered(page)
  return { page, context }
}

/** Opens a view without loading the document again, so that notifications stay. */
const follow = (page: Page, link: string) =>
  page.getByRole('link', { name: link, exact: true }).first().click()

const deleteRecord = async (page: Page, key: string) => {
  await follow(page, 'Data')
  await page.getByRole('list', { name: 'Records' }).getByText(key, { exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete record' }).click()
  await notice(page, `Record ${key} deleted`).last().waitFor()
}

const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

const stored = async (key: string) => (await space.api.get<{ value?: unknown }>(`/data/${key}`)).body.value

test('a deleted part is back after Undo', async () => {
  const { id } = (await space.api.post<{ id: string }>('/parts', { name: 'nav', html: '<nav></nav>' })).body
  const { page, context } = await openWindow()
  await follow(page, 'Parts')
  await follow(page, 'nav')
  await page.getByRole('button', { name: 'Delete this part' }).click()
  await page.getByRole('button', { name: 'Delete part' }).click()
  await notice(page, 'Part nav deleted').getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Part nav is back')
  expect((await space.api.get(`/parts/${id}`)).body).toMatchObject({ name: 'nav', html: '<nav></nav>' })
  await context.close()
})

test('a deleted file is back after Undo, at the same address', async () => {
  const file = { name: 'notes.txt', content: 'Sow beans', encoding: 'text' }
  const { id, url } = (await space.api.post<{ id: string; url: string }>('/files', file)).body
  const { page, context } = await openWindow()
  await follow(page, 'Files')
  await page.getByRole('button', { name: 'More actions for notes.txt' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await notice(page, 'File notes.txt deleted').getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'File notes.txt is back')
  expect((await space.api.get(`/files/${id}`)).body).toMatchObject({ name: 'notes.txt', url })
  await context.close()
})

test('Undo restores files that were deleted together, but not a file that someone else had deleted', async () => {
  const ids = []
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    ids.push(
      (await space.api.post<{ id: string }>('/files', { name, content: name, encoding: 'text' })).body.id,
    )
  const { page, context } = await openWindow()
  await follow(page, 'Files')
  await page.getByLabel('Select a.txt').check()
  await page.getByLabel('Select c.txt').check()
  // Someone else deletes b.txt first.
  await page.getByLabel('Select b.txt').check()
  await space.api.delete(`/files/${ids[1]}`)
  // The view may hear of it in between.
  const confirm = { name: /^Delete [23] files$/ }
  await page.getByRole('button', confirm).click()
  await page.getByRole('dialog').getByRole('button', confirm).click()
  await notice(page, '2 files deleted').waitFor()
  await expectAccessible(page, 'undo-files')
  const listed = async () =>
    (await space.api.get<{ data: { id: string }[] }>('/files')).body.data.map(({ id }) => id).toSorted()
  expect(await listed()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, '2 files are back')
  expect(await listed()).toEqual([ids[0]!, ids[2]!].toSorted())
  await context.close()
})

test('if an undo fails because the name is taken, a notice links to the deletion, where another name can be chosen', async () => {
  const { id } = (await space.api.post<{ id: string }>('/pages', { slug: 'about', html: 'old' })).body
  const { page, context } = await openWindow()
  await follow(page, 'Pages')
  await follow(page, 'about')
  await page.getByRole('button', { name: 'Delete this page' }).click()
  await page.getByRole('button', { name: 'Delete page' }).click()
  await notice(page, 'Page about deleted').waitFor()
  await space.api.post('/pages', { slug: 'about', html: 'new' })
  await page.getByRole('button', { name: 'Undo' }).click()
  const failed = notice(page, 'Page about could not be restored')
  await failed.getByText('Another page has its name now.').waitFor()
  await expectAccessible(page, 'undo-name-taken')
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    failed.getByRole('link', { name: 'Restore from the history' }).click({ modifiers: ['ControlOrMeta'] }),
  ])
  await tab.getByRole('button', { name: 'Restore it' }).click()
  await tab.getByLabel('New slug').fill('about-us')
  await tab.getByRole('button', { name: 'Restore under this name' }).click()
  await tab.getByText('The restore is itself a change').waitFor()
  expect((await space.api.get(`/pages/${id}`)).body).toMatchObject({ slug: 'about-us', html: 'old' })
  await context.close()
})

test('an undo without a connection can be tried again', async () => {
  await space.api.put('/data/events', { value: 1 })
  const { page, context } = await openWindow()
  await deleteRecord(page, 'events')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  const failed = notice(page, 'Record events could not be restored')
  await failed.getByText('You are offline').waitFor()
  await expectAccessible(page, 'undo-offline')
  await context.setOffline(false)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expectNotice(page, 'Record events is back')
  await expect.poll(() => failed.count()).toBe(0)
  expect(await stored('events')).toBe(1)
  await context.close()
})

test('two deletions in a row can each be undone, even from another view', async () => {
  for (const key of ['one', 'two']) await space.api.put(`/data/${key}`, { value: key })
  const { page, context } = await openWindow()
  for (const key of ['one', 'two']) await deleteRecord(page, key)
  await follow(page, 'Participants')
  await page.getByRole('heading', { level: 1, name: 'Participants' }).waitFor()
  await notice(page, 'Record one').getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Record one is back')
  expect(await Promise.all(['one', 'two'].map(stored))).toEqual(['one', undefined])
  await notice(page, 'Record two').getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Record two is back')
  expect(await stored('two')).toBe('two')
  await context.close()
})

test('an item that is deleted again gets a new offer to undo', async () => {
  for (const key of ['events', 'members']) await space.api.put(`/data/${key}`, { value: 1 })
  const { page, context } = await openWindow()
  await deleteRecord(page, 'events')
  await follow(page, 'New record')
  await page.getByLabel('Key', { exact: true }).fill('events')
  await write(page, '2')
  await page.getByRole('button', { name: 'Create record' }).click()
  await page.getByRole('heading', { level: 1, name: 'events' }).waitFor()
  await deleteRecord(page, 'events')
  await expect.poll(() => notice(page, 'Record events deleted').count()).toBe(2)
  await context.close()
})

test('the undo of a deletion does not replace a new item with the same key', async () => {
  await space.api.put('/data/events', { value: 1 })
  const { page, context } = await openWindow()
  await deleteRecord(page, 'events')
  await space.api.put('/data/events', { value: 2 })
  await page.getByRole('button', { name: 'Undo' }).click()
  const exists = notice(page, 'Record events exists again')
  await exists.getByRole('link', { name: 'History' }).click()
  await expect.poll(() => page.getByRole('link', { name: 'View change of events' }).count()).toBe(3)
  expect(await stored('events')).toBe(2)
  await context.close()
})

test('signing out withdraws the offer to undo', async () => {
  await space.api.put('/data/events', { value: 1 })
  const { page, context } = await openWindow()
  await deleteRecord(page, 'events')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await expect.poll(() => notice(page, 'Record events').count()).toBe(0)
  await context.close()
})
