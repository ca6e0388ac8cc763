import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

test('a deleted item can be deleted permanently, after the person has confirmed who they are', async () => {
  const { service } = dashboard
  const { subdomain, owner, api } = await service.createSpace()
  await api.put('/data/events', { value: 1 })
  await api.put('/data/kept', { value: 1 })
  await api.delete('/data/events')
  const [deletion] = (await owner.history.list({ subdomain, thing: 'events' })).changes
  const { page, context, open } = await dashboard.as(owner)
  await service.core.database
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .execute()
  await open(`/spaces/${subdomain}/history/${deletion!.id}`)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete events permanently?' })
  await dialog.getByText('Nobody can restore it afterwards').waitFor()
  await expectAccessible(page, 'erase-item')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expectNotice(page, 'events deleted permanently.')
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await rows.first().waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByRole('link', { name: 'kept' }).waitFor()
  await open(`/spaces/${subdomain}/audit`)
  await page.getByText('Deleted permanently: record events').waitFor()
  await context.close()
})

test('a version of an existing item cannot be deleted permanently', async () => {
  const { service } = dashboard
  const { subdomain, owner, api } = await service.createSpace()
  await api.put('/data/events', { value: 1 })
  const [creation] = (await owner.history.list({ subdomain })).changes
  const { page, context, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/history/${creation!.id}`)
  await page.getByRole('button', { name: 'Restore this version' }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0)
  await context.close()
})

test('a person who has become an editor meanwhile is told that only owners delete permanently', async () => {
  const { subdomain, owner, api, join } = await dashboard.service.createSpace()
  const guest = await join(undefined, 'owner')
  await api.put('/data/events', { value: 1 })
  await api.delete('/data/events')
  const [deletion] = (await owner.history.list({ subdomain, thing: 'events' })).changes
  const { page, open } = await dashboard.as(guest, { isLive: false })
  await open(`/spaces/${subdomain}/history/${deletion!.id}`)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete events permanently?' })
  const participants = await owner.participants.list({ subdomain })
  const { id } = participants.find(({ handle }) => handle === guest.handle)!
  await owner.participants.setRole({ subdomain, participant_id: id, role: 'editor' })
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  // Only the button in the dialog is left.
  await expect.poll(() => page.getByText('Delete permanently', { exact: true }).count()).toBe(1)
  await dialog.getByRole('alert').getByText('For owners only').waitFor()
})
