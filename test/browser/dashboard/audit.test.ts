import { expect, test } from 'vitest'
import { expectAccessible, PASSWORD, root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

test('the audit log of a space lists events, and can be filtered', async () => {
  const { owner, subdomain, apiWith } = await dashboard.service.createSpace()
  const reader = await apiWith('files')
  for (let n = 0; n < 3; n++) await reader.get('/pages')
  await dashboard.service.core.countedEvents.flush()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByText('Refused: permission missing').first().waitFor()
  await events.getByText('Key issued: test').first().waitFor()
  await expectAccessible(page, 'audit-space')
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Keys' }).click()
  await events.getByText('Refused').first().waitFor({ state: 'hidden' })
  await events.getByText('Key issued: test').first().waitFor()
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Exports and restores' }).click()
  await page.getByText('No events match').waitFor()
  await expectAccessible(page, 'audit-empty')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await events.getByText('Refused').first().waitFor()
  const who = page.getByRole('searchbox', { name: 'Person, key or token' })
  await who.fill('nobody')
  await page.getByText('No events match').waitFor()
  await expectAccessible(page, 'audit-filtered')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect.poll(() => who.inputValue()).toBe('')
  await who.fill(owner.handle)
  // The term is in the address after a pause. Until then, the list still shows everything.
  await page.waitForURL(url => url.search.includes(owner.handle))
  await events.getByText('Refused').first().waitFor()
  for (const [label, day] of [
    ['From', '2099-01-01'],
    ['Until', '2001-01-01'],
  ] as const) {
    await page.getByLabel(label).fill(day)
    await page.getByText('No events match').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await events.getByText('Refused').first().waitFor()
    await expect.poll(() => page.getByLabel(label).inputValue()).toBe('')
  }
})

test('the audit log of a space says that a key ended because its issuer left', async () => {
  const { owner, subdomain, join } = await dashboard.service.createSpace()
  const guest = await join()
  await guest.keys.issue({ subdomain, label: 'deploy', scopes: ['pages'] })
  await guest.participants.leave({ subdomain })
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/audit`)
  const ended = page
    .getByRole('list', { name: 'Events' })
    .getByRole('listitem')
    .filter({ hasText: 'Key revoked: deploy' })
  await ended.waitFor()
  expect(await ended.textContent()).toContain(
    'Ended because the person who created it is no longer a participant',
  )
})

test('the audit log of an account says that a sign-in failed because of too many attempts', async () => {
  const person = await dashboard.service.signUp()
  const { page, open, context } = await dashboard.as(person)
  const address = `${root(dashboard.service)}/trpc/sessions.create`
  const data = { handle: person.handle, password: 'wrong' }
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await context.request.post(address, { data })).status())
  expect(statuses.at(-1)).toBe(429)
  await dashboard.service.core.countedEvents.flush()
  await open('/account/audit')
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByText('Sign-in failed').first().waitFor()
  expect(await events.textContent()).toContain('Sign-in failed with the password: too many attempts')
})

test('the audit log of an account shows successful and failed sign-ins, and can be filtered', async () => {
  const person = await dashboard.service.signUp()
  const { page, open, context } = await dashboard.as(person)
  const address = `${root(dashboard.service)}/trpc/sessions.create`
  const attempt = (password: string) =>
    context.request.post(address, { data: { handle: person.handle, password } })
  for (let n = 0; n < 2; n++) expect((await attempt('wrong')).ok()).toBe(false)
  expect((await attempt(PASSWORD)).ok()).toBe(true)
  await dashboard.service.core.countedEvents.flush()
  await open('/account/audit')
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByText('Sign-in failed with the password').first().waitFor()
  await events.getByText('Signed in with the password').first().waitFor()
  await events.getByText('by someone who was not signed in').first().waitFor()
  await expectAccessible(page, 'audit-account')
  const { id } = await person.posts.create({ html: 'one' })
  await person.posts.delete({ post_id: id })
  await person.postHistory.restoreDeleted({ post_id: id })
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Restored posts' }).click()
  await events.getByText('Earlier version restored: post').waitFor()
  await events.getByText('Signed in').first().waitFor({ state: 'hidden' })
})
