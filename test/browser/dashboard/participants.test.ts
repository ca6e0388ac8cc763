import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../../support/problems.ts'
import type { TestSpace } from '../../support/test-service.ts'
import {
  type Appearance,
  expectAccessible,
  expectFocus,
  PASSWORD,
  useDashboard,
} from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const open = async (space: Pick<TestSpace, 'owner' | 'subdomain'>, appearance?: Appearance) => {
  const window = await dashboard.inSpace(space, '/participants', appearance)
  await window.page.getByRole('heading', { name: 'Participants', exact: true }).waitFor()
  return window
}

describe('inviting someone', () => {
  test('creates a link that works once, and lists the invitation while it is open', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await open(space)
    await page.getByText('You are the only participant').waitFor()
    await expectAccessible(page, 'participants-alone')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const link = await page.getByRole('region', { name: 'Invitation link' }).innerText()
    await expectAccessible(page, 'participants-invite')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectFocus(page, 'Invite someone')
    await page.getByRole('list', { name: 'Open invitations' }).getByText('Created by you').waitFor()
    expect(await page.content()).not.toContain(new URL(link).hash.slice(1))

    const guest = await dashboard.service.signUp()
    await guest.invites.accept({ token: new URL(link).hash.slice(1) })
    await page.reload()
    await page.getByRole('heading', { name: '2 participants' }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Open invitations' }).count()).toBe(0)
  })

  test('asks a session that was confirmed more than ten minutes ago for the password first', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await open(space)
    await dashboard.service.core.database
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expectAccessible(page, 'participants-confirm')
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('region', { name: 'Invitation link' }).waitFor()
    expect(await space.owner.invites.list({ subdomain: space.subdomain })).toHaveLength(1)
  })

  test('is undone by revoking the invitation', async () => {
    const space = await dashboard.service.createSpace()
    const { url } = await space.owner.invites.create({ subdomain: space.subdomain })
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke invitation?' }).waitFor()
    await expectAccessible(page, 'participants-revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await expectNotice(page, 'Invitation revoked.')
    await expectFocus(page, 'Invite someone')
    const guest = await dashboard.service.signUp()
    const call = guest.invites.accept({ token: new URL(url).hash.slice(1) })
    expect(await errorCodeOf(call)).toBe('invite_not_found')
  })

  test('shows a message if the invitation was used before it was revoked', async () => {
    const space = await dashboard.service.createSpace()
    const { url } = await space.owner.invites.create({ subdomain: space.subdomain })
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await (await dashboard.service.signUp()).invites.accept({ token: new URL(url).hash.slice(1) })
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await expectNotice(page, 'This invitation is no longer open')
    await page.getByRole('heading', { name: '2 participants' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

test('an invitation that a person may no longer revoke stays asked about, with the reason', async () => {
  const { owner, subdomain, join } = await dashboard.service.createSpace()
  const guest = await join(undefined, 'owner')
  await owner.invites.create({ subdomain })
  const { page } = await open({ owner: guest, subdomain }, { isLive: false })
  await page.getByRole('button', { name: 'Revoke' }).click()
  const participants = await owner.participants.list({ subdomain })
  const { id } = participants.find(({ handle }) => handle === guest.handle)!
  await owner.participants.setRole({ subdomain, participant_id: id, role: 'editor' })
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByText('Invite someone', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByRole('alert').getByText('For owners only').waitFor()
  expect(await owner.invites.list({ subdomain })).toHaveLength(1)
})

describe('leaving a space', () => {
  test('shows which keys and invitations stop working', async () => {
    const space = await dashboard.service.createSpace()
    const { subdomain } = space
    const guest = await space.join()
    const { secret } = await guest.keys.issue({ subdomain, label: 'Build', scopes: ['pages'] })
    await guest.keys.issue({ subdomain, label: 'Newsletter', scopes: ['pages'] })
    await guest.invites.create({ subdomain })
    const { page } = await open({ owner: guest, subdomain })
    await expectAccessible(page, 'participants')
    await page.getByRole('button', { name: 'Leave space' }).click()
    const dialog = page.getByRole('dialog')
    // The newest key is first. If both keys were created in the same millisecond, either of them can be first.
    await dialog.getByText(/^2 keys you created: (“Newsletter”, “Build”|“Build”, “Newsletter”)/).waitFor()
    await dialog.getByText('1 open invitation you created').waitFor()
    await expectAccessible(page, 'participants-leave')
    await dialog.getByRole('button', { name: 'Leave space' }).click()
    await expectNotice(page, `You left The ${subdomain}.`)
    await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
    expect((await dashboard.service.rest(secret).get(`/spaces/${subdomain}`)).status).toBe(401)
  })

  test('is refused if the other participant has left in the meantime', async () => {
    const space = await dashboard.service.createSpace()
    const guest = await space.join()
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Leave space' }).click()
    await guest.participants.leave({ subdomain: space.subdomain })
    await page.getByRole('dialog').getByRole('button', { name: 'Leave space' }).click()
    await page.getByText('You are the only participant').waitFor()
    await page.getByRole('dialog').getByRole('alert').getByText('You are the last participant').waitFor()
    await expect.poll(() => space.owner.participants.list({ subdomain: space.subdomain })).toHaveLength(1)
  })
})

describe('the list of participants', () => {
  test('shows an internal error with its reference, and can be retried', async () => {
    const space = await dashboard.service.createSpace()
    const restore = await breakTable(dashboard.service, 'invites')
    const { page } = await open(space, { isLive: false })
    await page.getByText(/Reference /).waitFor()
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    const list = page.getByRole('list', { name: 'Participants' })
    await list.waitFor()
    await expect.poll(() => list.getByText('You', { exact: true }).count()).toBe(1)
  })
})
