import { expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

test('a webhook is added, tested, switched off and removed, and shows what was sent', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/settings')
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByText('There are none yet.').waitFor()
  await expectAccessible(page, 'webhooks-empty')

  await section.getByRole('button', { name: 'Add a webhook' }).click()
  const adding = page.getByRole('dialog', { name: 'New webhook' })
  await adding.getByLabel('Address').fill('http://receiver.example/')
  await adding.getByRole('button', { name: 'Add webhook' }).click()
  await adding.getByText('must begin with https://').waitFor()
  await expectAccessible(page, 'webhooks-add')
  // Nothing is sent to this machine, so the result does not depend on a network.
  const url = 'https://127.0.0.1/hook'
  await adding.getByLabel('Address').fill(url)
  await adding.getByLabel('Files changed').uncheck()
  await adding.getByRole('button', { name: 'Add webhook' }).click()
  const secret = page.getByRole('dialog', { name: 'The secret of the webhook' })
  await secret.getByText(/whsec_/).waitFor()
  await expectAccessible(page, 'webhooks-secret')
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await section.getByText('Waits for a test').waitFor()
  await section.getByText('Files: created, deleted').waitFor()

  await section.getByRole('button', { name: `Send a test to ${url}` }).click()
  const deliveries = page.getByRole('dialog', { name: 'Deliveries' })
  await deliveries.getByText('No answer', { exact: true }).waitFor()
  await deliveries.getByText('It could not be sent: its host is not on the public internet.').waitFor()
  await deliveries.getByText('1 attempt').waitFor()
  await deliveries.getByRole('button', { name: /^Send again/ }).click()
  await deliveries.getByText('2 attempts').waitFor()
  await deliveries.getByRole('button', { name: /^Payload/ }).click()
  await deliveries.getByText('"type": "test"').waitFor()
  await expectAccessible(page, 'webhooks-deliveries')
  await page.keyboard.press('Escape')

  // As after a test that the address has accepted.
  const { database } = dashboard.service.core
  const webhook = (await space.owner.webhooks.list({ subdomain: space.subdomain }))[0]!
  await database
    .updateTable('webhooks')
    .set({ state: 'active', revision: '1000000' })
    .where('id', '=', webhook.id)
    .execute()
  await page.reload()
  await section.getByText('Active', { exact: true }).waitFor()

  await section.getByRole('button', { name: `Rotate secret of ${url}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await section.getByText('The secret before the last rotation stops working').waitFor()

  await section.getByRole('button', { name: `Switch off ${url}` }).click()
  await section.getByText('Switched off.').waitFor()
  await expectAccessible(page, 'webhooks-off')
  await section.getByRole('button', { name: `Switch on ${url}` }).click()
  await section.getByText('Active', { exact: true }).waitFor()

  await section.getByRole('button', { name: `Remove ${url}` }).click()
  await page.getByRole('button', { name: 'Remove webhook' }).click()
  await section.getByText('There are none yet.').waitFor()
  expect(await space.owner.webhooks.list({ subdomain: space.subdomain })).toEqual([])
})

test('a list of webhooks that cannot be loaded says so', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '')
  // Aborting fails if the window closes meanwhile.
  await page.route(/trpc\/.*webhooks\.list/, route => route.abort().catch(() => {}))
  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await section.getByRole('button', { name: 'Add a webhook' }).isEnabled()).toBe(true)
})

test('a dialog about a webhook says that someone else has removed it, and closes with the focus on a button', async () => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  const url = 'https://127.0.0.1/hook'
  const { id } = await owner.webhooks.add({ subdomain, url, events: ['page.created'] })
  const { page } = await dashboard.inSpace(space, '/settings', { isLive: false })
  await page.getByRole('button', { name: `Rotate secret of ${url}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate secret?' })
  await owner.webhooks.remove({ subdomain, webhook_id: id })
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByText('There are none yet.').waitFor()
  await dialog.getByRole('alert').getByText('No such webhook').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await owner.webhooks.add({ subdomain, url, events: ['page.created'] })
  await page.reload()
  await page.getByRole('button', { name: `Remove ${url}` }).click()
  await page.getByRole('button', { name: 'Remove webhook' }).click()
  await page.getByText('There are none yet.').waitFor()
  await expectFocus(page, 'Add a webhook')
})

test('asks for confirmation before leaving without having saved the secret', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/participants')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const adding = page.getByRole('dialog', { name: 'New webhook' })
  await adding.getByLabel('Address').fill('https://127.0.0.1/hook')
  await adding.getByRole('button', { name: 'Add webhook' }).click()
  const secret = page.getByRole('dialog', { name: 'The secret of the webhook' })
  await secret.getByText(/whsec_/).waitFor()
  await page.goBack()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving the secret?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await secret.getByText(/whsec_/).isVisible()).toBe(true)
  await secret.getByRole('button', { name: 'I have saved it' }).click()
  await secret.waitFor({ state: 'detached' })
})
