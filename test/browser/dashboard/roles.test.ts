import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const shared = async (role: 'owner' | 'editor') => {
  const space = await dashboard.service.createSpace()
  return { ...space, guest: await space.join(undefined, role) }
}

const roleIn = async ({ owner, subdomain }: Awaited<ReturnType<typeof shared>>, handle: string) =>
  (await owner.participants.list({ subdomain })).find(one => one.handle === handle)?.role

const rowOf = (page: Page, handle: string) =>
  page
    .getByRole('list', { name: 'Participants' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: handle, exact: true }) })

describe('an owner', () => {
  test('makes a participant an editor and an owner again, after a confirmation that says what ends', async () => {
    const space = await shared('owner')
    const { handle } = space.guest
    const { page } = await dashboard.inSpace(space, '/participants')
    await rowOf(page, handle).getByText('Owner', { exact: true }).waitFor()
    await page.getByRole('button', { name: `Make editor: ${handle}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(`Keys, connected apps, webhooks and open invitations that ${handle} created`)
      .waitFor()
    await expectAccessible(page, 'roles-make-editor')
    await dialog.getByRole('button', { name: 'Make editor' }).click()
    await expectNotice(page, `${handle} is now an editor.`)
    await rowOf(page, handle).getByText('Editor', { exact: true }).waitFor()
    await page.getByText('You are the only owner, so you can’t leave.').waitFor()
    await expectAccessible(page, 'roles-participants')
    expect(await roleIn(space, handle)).toBe('editor')

    await page.getByRole('button', { name: `Make owner: ${handle}` }).click()
    await dialog.getByText(`${handle} will have full access`).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expectFocus(page, 'Make owner')
    await page.getByRole('button', { name: `Make owner: ${handle}` }).click()
    await dialog.getByRole('button', { name: 'Make owner' }).click()
    await expectNotice(page, `${handle} is now an owner.`)
    expect(await roleIn(space, handle)).toBe('owner')
  })

  test('removes a participant, who is notified', async () => {
    const space = await shared('editor')
    const { handle } = space.guest
    const { page } = await dashboard.inSpace(space, '/participants')
    await page.getByRole('button', { name: `Remove ${handle}` }).click()
    const dialog = page.getByRole('dialog', { name: `Remove ${handle} from The ${space.subdomain}?` })
    await dialog.waitFor()
    await expectAccessible(page, 'roles-remove')
    await dialog.getByRole('button', { name: `Remove ${handle}` }).click()
    await expectNotice(page, `${handle} removed.`)
    await page.getByRole('heading', { name: '1 participant' }).waitFor()
    expect(await roleIn(space, handle)).toBeUndefined()

    const other = await dashboard.as(space.guest)
    await other.open('/notifications')
    await other.page.getByText(`You are no longer a participant of The ${space.subdomain}`).waitFor()
    await expectAccessible(other.page, 'roles-notification')
  })

  test('invites an editor, whose invitation says what an editor may do', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await dashboard.inSpace(space, '/participants')
    await page.getByLabel('Role of the person who joins').selectOption('As an editor')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    await page.getByRole('dialog').getByText('as an editor').waitFor()
    const link = await page.getByRole('region', { name: 'Invitation link' }).innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('list', { name: 'Open invitations' }).getByText('Editor', { exact: true }).waitFor()

    const guest = await dashboard.service.signUp()
    const joining = await dashboard.as(guest)
    await joining.page.goto(link)
    await joining.page.getByText('You will be an editor of this space').waitFor()
    await expectAccessible(joining.page, 'roles-join')
    await joining.page.getByRole('button', { name: `Join as ${guest.handle}` }).click()
    await joining.page
      .getByRole('heading', { level: 1, name: `The ${space.subdomain}`, exact: true })
      .waitFor()
    expect(await guest.spaces.list()).toMatchObject([{ role: 'editor' }])
  })
})

describe('an editor', () => {
  const asEditor = async (path: string) => {
    const space = await shared('editor')
    const { page, open } = await dashboard.inSpace({ ...space, owner: space.guest }, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { space, page, open: (view: string) => open(`/spaces/${space.subdomain}${view}`) }
  }

  test('sees in the menu and the search only what an editor can do', async () => {
    const { page } = await asEditor('')
    const menu = page.getByRole('navigation', { name: 'Space' })
    await expect
      .poll(() => menu.getByRole('link').allInnerTexts())
      .toEqual(['Overview', 'Pages', 'Parts', 'Data', 'Look', 'Files', 'History', 'Participants', 'Settings'])
    await expect.poll(() => page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.and(page.locator(':focus')).waitFor()
    await field.fill('audit')
    await page.getByRole('option', { name: /^Your audit log/ }).waitFor()
    expect(await page.getByRole('option', { name: /audit/i }).count()).toBe(1)
  })

  test.each([
    ['keys', 'Keys'],
    ['audit', 'Audit log'],
  ])('who opens the address of %s learns whom to ask', async (path, title) => {
    const { space, page } = await asEditor(`/${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('heading', { name: 'For owners only' }).waitFor()
    await page.getByText(`Ask ${space.owner.handle}.`).waitFor()
    await expectAccessible(page, `roles-${path}-for-owners`)
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { level: 1, name: `The ${space.subdomain}` }).waitFor()
  })

  test('exports and imports in the settings, and cannot change anything else there', async () => {
    const { page } = await asEditor('/settings')
    await page.getByText('You are an editor.').waitFor()
    await expect
      .poll(() => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual(['Export and import'])
    await expectAccessible(page, 'roles-settings')
  })

  test('sees who takes part, and can leave', async () => {
    const { space, page } = await asEditor('/participants')
    await rowOf(page, space.owner.handle).getByText('Owner', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(Make|Remove|Invite)/ }).count()).toBe(0)
    await expectAccessible(page, 'roles-participants-of-editor')
    await page.getByRole('button', { name: 'Leave space' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave space' }).click()
    await expectNotice(page, `You left The ${space.subdomain}.`)
    expect(await roleIn(space, space.guest.handle)).toBeUndefined()
  })

  test('is not offered to delete an item permanently', async () => {
    const { space, page, open } = await asEditor('')
    const { subdomain, guest } = space
    await guest.data.put({ subdomain, key: 'gone', value: 1 })
    await guest.data.delete({ subdomain, key: 'gone' })
    const [deletion] = (await guest.history.list({ subdomain, thing: 'gone' })).changes
    await open(`/history/${deletion!.id}`)
    await page.getByRole('button', { name: 'Restore it' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0)
  })
})

test('a person who becomes an editor while a view is open is told so by the next action', async () => {
  const space = await shared('owner')
  const { guest, subdomain } = space
  // A stream that breaks off and begins anew makes the window read everything again, before the action.
  const { page } = await dashboard.inSpace({ ...space, owner: guest }, '/participants', { isLive: false })
  await page.getByRole('button', { name: 'Invite someone' }).waitFor()
  const participants = await space.owner.participants.list({ subdomain })
  const { id } = participants.find(({ handle }) => handle === guest.handle)!
  await space.owner.participants.setRole({ subdomain, participant_id: id, role: 'editor' })
  await page.getByRole('button', { name: 'Invite someone' }).click()
  await expectNotice(page, 'For owners only')
  await page.getByRole('button', { name: 'Invite someone' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0)
})
