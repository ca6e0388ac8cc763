import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { TestSpace } from '../../support/test-service.ts'
import { expectAccessible, returnToTab, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

let space: TestSpace
beforeEach(async () => {
  space = await dashboard.service.createSpace()
})

const open = (path: string) => dashboard.inSpace(space, path)

/** Moves the times of all existing changes back by three hours. */
const age = () =>
  sql`update writes set at = at - interval '3 hours' where space_id = (
    select id from spaces where subdomain = ${space.subdomain}
  )`.execute(dashboard.service.core.database)

const storedValue = async (key: string) =>
  (await space.api.get<{ value?: unknown }>(`/data/${key}`)).body.value

const chooseTime = async (page: Page, option: string) => {
  await page.getByRole('combobox', { name: 'Changes of' }).click()
  await page.getByRole('option', { name: option }).click()
}

test('changes made with a key in a chosen period can be undone from the list of keys, and so can the undo itself', async () => {
  const { api, owner, subdomain } = space
  for (const key of ['kept', 'early']) await owner.data.put({ subdomain, key, value: 0 })
  await api.put('/data/early', { value: 1 })
  await age()
  await api.put('/data/late', { value: 1 })
  await api.put('/data/kept', { value: 1 })
  await owner.data.put({ subdomain, key: 'kept', value: 2 })
  const { page, context } = await open('/keys')
  await page.getByRole('link', { name: 'Undo changes by test' }).waitFor()
  await expectAccessible(page, 'history-undo-keys')
  await page.getByRole('link', { name: 'Undo changes by test' }).click()
  const summary = page.getByRole('list', { name: 'Summary' })
  await summary.getByText('Deleted: 1 record').waitFor()
  await page.getByRole('button', { name: 'Undo 1 item', exact: true }).waitFor()
  await summary.getByText('Skipped because of later changes: 1 record').waitFor()
  await page
    .getByRole('list', { name: 'Skipped items' })
    .getByText(`later changed by ${owner.handle}`)
    .waitFor()
  await expectAccessible(page, 'history-undo-hour')
  await chooseTime(page, 'Any time')
  await summary.getByText('Changed to an earlier version: 1 record').waitFor()
  await page.getByRole('button', { name: 'Undo 2 items' }).click()
  await page.getByText('2 items restored').waitFor()
  await page.getByText('1 item skipped.').waitFor()
  await expectAccessible(page, 'history-undone')
  await expect.poll(() => Promise.all(['early', 'late', 'kept'].map(storedValue))).toEqual([0, undefined, 2])
  await page.getByRole('button', { name: 'Undo this' }).click()
  await page.getByText('Undo the undo').waitFor()
  await page.getByRole('button', { name: 'Undo 2 items' }).click()
  await expect.poll(() => Promise.all(['early', 'late', 'kept'].map(storedValue))).toEqual([1, 1, 2])
  await page.getByText('2 items restored').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => new URL(page.url()).search).not.toContain('undo')
  await context.close()
})

test('changes made by a participant can be undone from the list of participants', async () => {
  const { owner, subdomain } = space
  await owner.data.put({ subdomain, key: 'one', value: 1 })
  const { page, context } = await open('/participants')
  await page.getByRole('link', { name: `Undo changes by ${owner.handle}` }).waitFor()
  await expectAccessible(page, 'history-undo-participants')
  await page.getByRole('link', { name: `Undo changes by ${owner.handle}` }).click()
  await page.getByRole('button', { name: 'Undo 1 item' }).click()
  await page.getByText('1 item restored').waitFor()
  await expect.poll(() => storedValue('one')).toBeUndefined()
  await context.close()
})

test('an undo preview stays while the person looks at another tab, until they confirm it', async () => {
  const { api, owner, subdomain } = space
  await Promise.all(['one', 'two'].map(key => api.put(`/data/${key}`, { value: 1 })))
  const { id } = (await owner.history.actors({ subdomain })).find(({ kind }) => kind === 'space_key')!
  const { page, context } = await open(`/history?actor=${id}`)
  await page.getByRole('link', { name: 'Undo changes' }).click()
  const button = page.getByRole('button', { name: 'Undo 2 items' })
  await button.waitFor()
  await api.put('/data/three', { value: 1 })
  await returnToTab(page)
  // By the answer to this later request, a refetch of the plan would have been answered, too.
  await page.evaluate(
    `fetch('/trpc/history.previewUndo?input=' + encodeURIComponent(JSON.stringify(${JSON.stringify({
      subdomain,
      actor: id,
      since: '2020-01-01T00:00:00Z',
    })}))).then(response => response.text())`,
  )
  await button.click()
  await page.getByText('The space has changed').waitFor()
  await page.getByRole('button', { name: 'Undo 3 items' }).waitFor()
  expect(await storedValue('one')).toBe(1)
  await context.close()
})

test('an undo preview shows 50 items at a time, and is updated if the space has changed in the meantime', async () => {
  const { api, owner, subdomain } = space
  const keys = Array.from({ length: 60 }, (_, n) => `k${String(n).padStart(2, '0')}`)
  await Promise.all(keys.map(key => api.put(`/data/${key}`, { value: 1 })))
  const { id } = (await owner.history.actors({ subdomain })).find(({ kind }) => kind === 'space_key')!
  const { page, context } = await open(`/history?actor=${id}`)
  await page.getByRole('link', { name: 'Undo changes' }).click()
  await page.getByText('Deleted: 60 records').waitFor()
  const items = page.getByRole('list', { name: 'Changed items' }).getByRole('listitem')
  await expect.poll(() => items.count()).toBe(50)
  await page.getByRole('button', { name: 'Show more items' }).click()
  await expect.poll(() => items.count()).toBe(60)
  await owner.data.put({ subdomain, key: 'k07', value: 2 })
  await page.getByRole('button', { name: 'Undo 60 items' }).click()
  await page.getByText('The space has changed').waitFor()
  await page.getByText('Deleted: 59 records').waitFor()
  await expectAccessible(page, 'history-undo-changed')
  expect(await storedValue('k00')).toBe(1)
  await page.getByRole('button', { name: 'Undo 59 items' }).click()
  await page.getByText('59 items restored').waitFor()
  await expect.poll(() => Promise.all(['k00', 'k07'].map(storedValue))).toEqual([undefined, 2])
  await context.close()
})
