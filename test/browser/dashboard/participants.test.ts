import { describe, expect, test } from 'vitest'
import { failure } from '../../support/problems.ts'
import type { TestSpace } from '../../support/world.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'

const dashboard = useDashboard()

const open = async (space: Pick<TestSpace, 'owner' | 'subdomain'>) => {
  const window = await dashboard.as(space.owner)
  await window.open(`/spaces/${space.subdomain}/participants`)
  await window.page.getByRole('heading', { name: 'Participants', exact: true }).waitFor()
  return window
}

const invite = async ({ owner, subdomain }: TestSpace) => {
  const guest = await dashboard.world.person()
  const { url } = await owner.invites.create({ subdomain })
  await guest.invites.accept({ token: new URL(url).hash.slice(1) })
  return guest
}

describe('inviting somebody', () => {
  test('gives a link that lets one person in, and lists it while it is open', async () => {
    const space = await dashboard.world.space()
    const { page } = await open(space)
    await page.getByText('You are the only participant').waitFor()
    await expectAccessible(page, 'participants-alone')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const link = await page.getByRole('region', { name: 'Invitation link' }).innerText()
    await expectAccessible(page, 'participants-invite')
    await page.getByRole('button', { name: 'Done' }).click()
    await expectFocus(page, 'Invite somebody')
    await page.getByRole('list', { name: 'Open invitations' }).getByText('Made by you').waitFor()
    expect(await page.content()).not.toContain(new URL(link).hash.slice(1))

    const guest = await dashboard.world.person()
    await guest.invites.accept({ token: new URL(link).hash.slice(1) })
    await page.reload()
    await page.getByRole('heading', { name: '2 participants' }).waitFor()
    expect(await page.getByRole('list', { name: 'Open invitations' }).count()).toBe(0)
  })

  test('can be taken back', async () => {
    const space = await dashboard.world.space()
    const { url } = await space.owner.invites.create({ subdomain: space.subdomain })
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expectAccessible(page, 'participants-withdraw')
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The invitation has been withdrawn.').waitFor()
    await expectFocus(page, 'Invite somebody')
    const guest = await dashboard.world.person()
    const call = guest.invites.accept({ token: new URL(url).hash.slice(1) })
    expect(await failure(call)).toBe('invite_not_found')
  })

  test('that was used in the meantime is said so', async () => {
    const space = await dashboard.world.space()
    const { url } = await space.owner.invites.create({ subdomain: space.subdomain })
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await (await dashboard.world.person()).invites.accept({ token: new URL(url).hash.slice(1) })
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The invitation is not open any more').waitFor()
    await page.getByRole('heading', { name: '2 participants' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('leaving a space', () => {
  test('says first which keys and invitations end with it', async () => {
    const space = await dashboard.world.space()
    const { subdomain } = space
    const guest = await invite(space)
    const { secret } = await guest.keys.issue({ subdomain, label: 'Build', scopes: ['pages'] })
    await guest.keys.issue({ subdomain, label: 'Newsletter', scopes: ['pages'] })
    await guest.invites.create({ subdomain })
    const { page } = await open({ owner: guest, subdomain })
    await expectAccessible(page, 'participants')
    await page.getByRole('button', { name: 'Leave' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 keys of yours: “Newsletter”, “Build”').waitFor()
    await dialog.getByText('1 open invitation of yours').waitFor()
    await expectAccessible(page, 'participants-leave')
    await dialog.getByRole('button', { name: 'Leave the space' }).click()
    await page.getByText(`You have left The ${subdomain}.`).waitFor()
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()
    expect((await dashboard.world.rest(secret).get(`/spaces/${subdomain}`)).status).toBe(401)
  })

  test('that would leave nobody is refused, also when the other one was faster', async () => {
    const space = await dashboard.world.space()
    const guest = await invite(space)
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Leave' }).click()
    await guest.participants.leave({ subdomain: space.subdomain })
    await page.getByRole('button', { name: 'Leave the space' }).click()
    await page.getByRole('alert').getByText('You are the last participant').waitFor()
    expect(await space.owner.participants.list({ subdomain: space.subdomain })).toHaveLength(1)
  })
})

describe('the list of participants', () => {
  test('says a fault with its reference', async () => {
    const space = await dashboard.world.space()
    const bringBack = await breakTable(dashboard.world, 'invites')
    const { page } = await open(space)
    await page.getByText(/Reference /).waitFor()
    await bringBack()
    await page.getByRole('button', { name: 'Try again' }).click()
    const list = page.getByRole('list', { name: 'Participants' })
    await list.waitFor()
    expect(await list.getByText('You', { exact: true }).count()).toBe(1)
  })
})
