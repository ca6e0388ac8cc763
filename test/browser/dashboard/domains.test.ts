import { afterAll, expect, test } from 'vitest'
import { startDnsServer } from '../../support/dns-server.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'

const DAY = 24 * 60 * 60_000

const dns = await startDnsServer()
const dashboard = useDashboard({ dnsServers: [dns.address] })
afterAll(() => dns.stop())

test('a domain shows its records, what is missing, and at last that it is the main address', async () => {
  const space = await dashboard.service.createSpace()
  const { siteDomain } = dashboard.service.core.addresses
  dns.set(`${space.subdomain}.${siteDomain.replace(/:\d+$/, '')}`, { a: ['127.0.0.1'] })
  const { page } = await dashboard.inSpace(space, '/settings')
  const section = page.getByRole('region', { name: 'Domains' })
  await section.getByLabel('Domain', { exact: true }).fill('localhost')
  await section.getByRole('button', { name: 'Add a domain' }).click()
  await section.getByText('is not a domain of the internet').waitFor()
  await section.getByLabel('Domain', { exact: true }).fill('bakery.example')
  await section.getByRole('button', { name: 'Add a domain' }).click()
  await section.getByText('The TXT record is missing.').first().waitFor()
  await section.getByText('The name does not lead anywhere yet.').first().waitFor()
  await expectAccessible(page, 'domains-pending')

  const { domains } = await space.owner.domains.list({ subdomain: space.subdomain })
  const { name, value } = domains[0]!.records[0]!
  // The service also checks domains by itself. It must not do so before the button is clicked, which then disappears.
  // And it ignores requests for a check a few seconds after a check.
  await dashboard.service.core.database
    .updateTable('domains')
    .set({ checked_at: new Date(0), next_check_at: new Date(Date.now() + DAY) })
    .execute()
  dns.set(name, { txt: [value] })
  dns.set('bakery.example', { a: ['127.0.0.1'] })
  await section.getByRole('button', { name: 'Check now: bakery.example' }).click()
  await section.getByText('This is your main address.').waitFor()
  await expectAccessible(page, 'domains-main')

  await section.getByRole('button', { name: 'Remove bakery.example' }).click()
  await page.getByRole('button', { name: 'Remove domain' }).click()
  await expect.poll(() => section.getByRole('listitem').count()).toBe(0)
  await expectFocus(page, 'Add a domain')
})

test('the question whether to remove a domain stays, with the reason, if someone else has removed it', async () => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  await owner.domains.add({ subdomain, domain: 'florist.example' })
  const { page } = await dashboard.inSpace(space, '/settings', { isLive: false })
  await page.getByRole('button', { name: 'Remove florist.example' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove domain?' })
  await owner.domains.remove({ subdomain, domain: 'florist.example' })
  await dialog.getByRole('button', { name: 'Remove domain' }).click()
  await page.locator('ul[aria-label="Domains"]').waitFor({ state: 'detached' })
  await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('No such domain')
})
