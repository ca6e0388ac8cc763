import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { toolClient } from '../../mcp/support/tool-client.ts'
import { uniqueName } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const open = (path: string) => dashboard.inSpace(site.space, path)

type Id = { id: string }
const api = () => site.space.api

describe('the history', () => {
  test('is empty at first, then lists changes with the person or key that made them, and can be filtered', async () => {
    const { page, context } = await open('/history')
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor()
    await expectAccessible(page, 'history-empty')
    const { id } = (await api().post<Id>('/pages', { slug: 'about', html: '<p>one</p>' })).body
    await api().patch(`/pages/${id}`, { slug: 'about-us' })
    await site.space.owner.data.put({ subdomain: site.space.subdomain, key: 'events', value: [1] })
    await page.reload()
    await page.getByText('Page renamed from about').waitFor()
    await page.getByText(`key test (${site.space.owner.handle})`).first().waitFor()
    await expectAccessible(page, 'history')
    await page.getByRole('combobox', { name: 'Show' }).click()
    await page.getByRole('option', { name: 'Data' }).click()
    await page.getByText('Record created').waitFor()
    await expect.poll(() => page.getByText('Page renamed').count()).toBe(0)
    await context.close()
  })

  test('names the program that made a change with a key', async () => {
    const secret = await site.space.key('data')
    await toolClient(dashboard.service, '/mcp', secret, '2026-07-28').send(
      'tools/call',
      { name: 'put_data', arguments: { key: 'events', value: [] } },
      { meta: { 'io.modelcontextprotocol/clientInfo': { name: 'Gardener', version: '1' } } },
    )
    const { page, context } = await open('/history')
    const row = page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first()
    await expect.poll(() => row.innerText()).toContain(`key test (Gardener, ${site.space.owner.handle})`)
    await context.close()
  })

  test('shows how many lines a change added and removed', async () => {
    const { id } = (await api().post<Id>('/pages', { slug: 'about', html: 'one\ntwo' })).body
    await api().patch(`/pages/${id}`, { html: 'one\n2\nthree' })
    const { page, context } = await open('/history')
    await page.getByText('2 lines added, 1 removed').waitFor({ state: 'attached' })
    await expectAccessible(page, 'history-lines')
    await context.close()
  })

  test('shows the content of a starter as one row, until it is opened', async () => {
    const { owner } = site.space
    const subdomain = uniqueName('starter')
    await owner.spaces.create({ subdomain, name: 'Harbour', starter: 'links' })
    await owner.pages.create({ subdomain, slug: 'more', html: 'x' })
    const { page, context } = await dashboard.inSpace({ owner, subdomain }, '/history')
    const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
    await page.getByText('Created from Link page').waitFor()
    expect(await rows.count()).toBe(2)
    await expectAccessible(page, 'history-starter')
    await page.getByRole('button', { name: 'Show items' }).click()
    await page.getByRole('link', { name: 'View change of index' }).waitFor()
    await page.getByRole('list', { name: 'Changes' }).and(page.locator(':focus')).waitFor()
    const { changes } = await owner.history.list({ subdomain })
    expect(await rows.count()).toBe(changes.length)
    await context.close()
  })

  test('compares the versions before and after a change and restores one', async () => {
    const { id } = (await api().post<Id>('/pages', { slug: 'about', html: '<p>first version</p>' })).body
    await api().patch(`/pages/${id}`, { html: '<p>second version</p>' })
    const { page, context } = await open(`/pages/${id}`)
    // The menu has a link with this name, too.
    await page.getByRole('main').getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'View change of about' }).first().click()
    await page.getByText('first version').waitFor()
    await page.getByText('second version').waitFor()
    await expectAccessible(page, 'history-change')
    await page.getByRole('button', { name: 'Restore the previous version' }).click()
    await page.getByText('The restore is itself a change').waitFor()
    await expect
      .poll(async () => (await api().get(`/pages/${id}`)).body)
      .toMatchObject({ html: '<p>first version</p>' })
    await context.close()
  })

  test('restores a deleted page, with another slug if its own is taken', async () => {
    const { id } = (await api().post<Id>('/pages', { slug: 'about', html: 'x' })).body
    await api().delete(`/pages/${id}`)
    await api().post('/pages', { slug: 'about', html: 'y' })
    const { changes } = await site.space.owner.history.list({ subdomain: site.space.subdomain, thing: id })
    const { page, context } = await open(`/history/${changes[0]!.id}`)
    await page.getByRole('button', { name: 'Restore it' }).click()
    await page.getByLabel('New slug').fill('about')
    await page.getByRole('button', { name: 'Restore under this name' }).click()
    await page.getByRole('alert').getByText('The slug is taken').waitFor()
    await page.getByLabel('New slug').fill('about-before')
    await expectAccessible(page, 'history-name-taken')
    await page.getByRole('button', { name: 'Restore under this name' }).click()
    await page.getByText('The restore is itself a change').waitFor()
    await expect
      .poll(async () => (await api().get(`/pages/${id}`)).body)
      .toMatchObject({ slug: 'about-before', html: 'x' })
    await context.close()
  })

  test('shows the current version of an item that was created again, and replaces that version only after a confirmation', async () => {
    for (const value of ['deleted value', 'new value']) {
      await api().delete('/data/events')
      await api().put('/data/events', { value })
    }
    const stored = async () => (await api().get<{ value: unknown }>('/data/events')).body.value
    const { subdomain, owner } = site.space
    const { changes } = await owner.history.list({ subdomain, thing: 'events' })
    const deletion = changes.find(({ action }) => action === 'delete')!
    const { page, context } = await open(`/history/${deletion.id}`)
    await page.getByRole('button', { name: 'Restore it' }).click()
    await page.getByText('events exists again').waitFor()
    await page.getByText('new value').waitFor()
    await expectAccessible(page, 'history-exists-again')
    expect(await stored()).toBe('new value')
    await page.getByRole('button', { name: 'Replace the current version' }).click()
    await page.getByText('The restore is itself a change').waitFor()
    expect(await stored()).toBe('deleted value')
    await expect.poll(() => page.getByText('exists again').count()).toBe(0)
    await context.close()
  })

  test('undoes everything that a key has changed since a point in time, and lists the skipped items', async () => {
    const { subdomain, owner } = site.space
    for (const key of ['one', 'two']) await api().put(`/data/${key}`, { value: 1 })
    await owner.data.put({ subdomain, key: 'two', value: 2 })
    const { changes } = await owner.history.list({ subdomain })
    const { page, context } = await open(`/history/${changes.at(-1)!.id}`)
    await page.getByRole('button', { name: 'Undo more changes' }).click()
    await page.getByText('later changed by').waitFor()
    await expectAccessible(page, 'history-undo')
    await page.getByRole('button', { name: 'Undo 1 item' }).click()
    await expectNotice(page, '1 item restored')
    await expect.poll(async () => (await api().get('/data/one')).status).toBe(404)
    await expect.poll(async () => (await api().get('/data/two')).status).toBe(200)
    await context.close()
  })

  test('shows a not-found message for an unknown change', async () => {
    const { page, context } = await open('/history/999-0')
    const heading = page.getByRole('heading', { name: 'No such change' })
    await heading.waitFor()
    await expect.poll(() => heading.count()).toBe(1)
    await context.close()
  })
})

test('a deletion can be undone from its notification', async () => {
  const { id } = (await api().post<Id>('/pages', { slug: 'gone', html: 'x' })).body
  const { page, context } = await open(`/pages/${id}`)
  await keepUndoOffered(page)
  await page.getByRole('button', { name: 'Delete this page' }).click()
  await page.getByText('You can restore it from the history').waitFor()
  await page.getByRole('button', { name: 'Delete page' }).click()
  await page.getByText('Page gone deleted').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
  await expectAccessible(page, 'history-deleted')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNotice(page, 'Page gone is back')
  await expect.poll(async () => (await api().get(`/pages/${id}`)).status).toBe(200)
  await context.close()
})
