import { expect, test } from 'vitest'
import { trimHistory } from '../../../routers/content/history/retention.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

const DAY = 24 * 60 * 60_000

test('the history, the oldest change and an undo say that earlier changes are no longer kept', async () => {
  const { service } = dashboard
  const { subdomain, owner, api } = await service.createSpace()
  for (const value of [1, 2, 3, 4]) await api.put('/data/events', { value })
  const { database } = service.core
  const { id } = await database
    .selectFrom('spaces')
    .where('subdomain', '=', subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  const limits = { days: 90, versions: 2, bytes: 1_000_000_000 }
  await trimHistory(database, id, limits, new Date(Date.now() + 91 * DAY))
  const { page, context, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/history`)
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  const older = 'Changes before this one are no longer kept'
  await rows.last().getByText(older).waitFor()
  expect(await rows.getByText(older).count()).toBe(1)
  expect(await rows.count()).toBe(2)
  await expectAccessible(page, 'history-trimmed')
  await rows.last().getByRole('link', { name: 'View change of events' }).click()
  await page.getByText('The previous version is the oldest one you can restore.').waitFor()
  await expectAccessible(page, 'history-trimmed-change')
  const { changes } = await owner.history.list({ subdomain })
  await open(`/spaces/${subdomain}/history?actor=${changes[0]!.actor.id}&undo=true`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Some earlier versions are no longer kept').waitFor()
  await dialog.getByText('record events will be restored to the oldest version that is still kept').waitFor()
  await expectAccessible(page, 'history-trimmed-undo')
  await dialog.getByRole('button', { name: 'Undo 1 item' }).click()
  await page.getByText('1 item restored').waitFor()
  expect((await api.get('/data/events')).body).toMatchObject({ value: 2 })
  await context.close()
})
