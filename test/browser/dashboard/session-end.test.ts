import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, PASSWORD, root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

/** Deletes all sessions of a person, as signing out elsewhere does. */
const endSessions = async ({ handle }: Person) => {
  const sql = dashboard.service.core.database
  const { id } = await sql
    .selectFrom('accounts')
    .where('handle', '=', handle)
    .select('id')
    .executeTakeFirstOrThrow()
  await sql.deleteFrom('sessions').where('account_id', '=', id).execute()
}

/**
 * Ends the sessions of a person when the view of the participants requests the invitations. If the sessions ended earlier, a
 * request of the previous view could fail first. The sign-in view would then replace the link to the participants before the
 * test clicks it.
 */
const endSessionsAtParticipants = (page: Page, person: Person) =>
  page.route(
    '**/trpc/*invites.list*',
    async route => {
      await endSessions(person)
      await route.fallback()
    },
    { times: 1 },
  )

test('after the session has ended, a view asks the person to sign in, and opens afterwards', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await endSessionsAtParticipants(page, owner)
  await page.getByRole('link', { name: 'Participants' }).click()
  await page.getByLabel('Handle').fill(owner.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/participants`)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Participants')
})

test('after the session has ended, the sign-in view offers passkeys, even if `accounts.entry` is slow', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await endSessionsAtParticipants(page, owner)
  await page.route('**/trpc/*accounts.entry*', async route => {
    await page.getByLabel('Handle').waitFor()
    await route.fallback()
  })
  await page.getByRole('link', { name: 'Participants' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true)
})

test('unsaved changes stay on the screen when a query in the background finds that the session has ended', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.parts.create({ subdomain, name: 'nav', html: '<nav>old</nav>' })
  const { page, open } = await dashboard.as(owner)
  await page.clock.install()
  await open(`/spaces/${subdomain}/parts`)
  await page.getByRole('link', { name: 'nav', exact: true }).click()
  await page.getByLabel('Name').fill('main-nav')
  const background = page.waitForResponse(
    response => response.url().includes('unsaved.others') && response.status() !== 200,
  )
  await endSessions(owner)
  await page.clock.runFor(20_000)
  await background
  await page.getByText('You are signed out').first().waitFor()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('main-nav')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
})

test('unsaved changes survive the end of the session, and are saved after a sign-in in another tab', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  await owner.parts.create({ subdomain, name: 'nav', html: '<nav>old</nav>' })
  const { context, page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/parts`)
  await page.getByRole('link', { name: 'nav', exact: true }).click()
  // Make an unsaved change before the session ends. Otherwise, a query that is still loading would open the sign-in
  // view.
  await page.getByLabel('Name').fill('main-nav')
  await endSessions(owner)
  await page.getByRole('button', { name: 'Save' }).click()
  // The preview shows the same message, but only after its next request.
  await page.getByText('You are signed out').first().waitFor()
  await expectAccessible(page, 'signed-out-while-writing')

  await context.request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
    data: { handle: owner.handle, password: PASSWORD },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await owner.parts.list({ subdomain })).data.map(({ name }) => name))
    .toEqual(['main-nav'])
})
