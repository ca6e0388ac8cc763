import { beforeAll, describe, expect, test } from 'vitest'
import { createSetUpLink } from '../../routers/accounts/links/create.ts'
import { startTestService, type TestService, uniqueName, useTestService } from '../support/test-service.ts'
import {
  type DashboardClient,
  dashboardClient,
  errorCodeOf,
  problemOf,
  tokenOf,
} from './support/dashboard-client.ts'

const open = useTestService()
const closed = useTestService({ signUp: 'invite' })
const password = 'correct horse battery'

const sql = (service: TestService) => service.core.database
const setUpLink = ({ core }: TestService) => createSetUpLink(core.database, core.addresses)
const newcomer = () => ({ handle: uniqueName('new'), password })

/** Runs a test with a service that has no accounts. */
const withEmptyService = async (use: (service: TestService) => Promise<void>) => {
  const service = await startTestService({ signUp: 'invite' })
  try {
    await use(service)
  } finally {
    await service.stop()
  }
}

/** The browser of the service's first account; all other accounts need an invitation. */
let host: DashboardClient
beforeAll(async () => {
  host = dashboardClient(closed)
  const set_up = tokenOf((await setUpLink(closed))!)
  await host.api.accounts.signUp.mutate({ handle: 'host', password, set_up })
})

/** Creates a space that belongs to the first account. */
const hosted = async () => {
  const subdomain = uniqueName('hosted')
  await host.api.spaces.create.mutate({ subdomain, name: 'Hosted' })
  const invite = async () => tokenOf((await host.api.invites.create.mutate({ subdomain })).url)
  return { subdomain, invite }
}

const isSignedIn = async ({ api }: DashboardClient) =>
  (await errorCodeOf(api.accounts.me.query())) === undefined

describe('with open sign-up', () => {
  test('accounts.entry reports that sign-up is open', async () => {
    expect(await dashboardClient(open).api.accounts.entry.query()).toMatchObject({
      sign_up: 'open',
      passkeys: true,
    })
  })

  test('signing up with an invitation joins the space of the invitation', async () => {
    const { owner, subdomain } = await open.createSpace()
    const { url } = await owner.invites.create({ subdomain })
    const guest = dashboardClient(open)
    const account = await guest.api.accounts.signUp.mutate({ ...newcomer(), invite: tokenOf(url) })
    expect(account.joined).toEqual({ subdomain, name: `The ${subdomain}` })
    expect((await guest.api.spaces.list.query()).map(space => space.subdomain)).toEqual([subdomain])
  })

  test('attempts to sign up are rate limited by network address', async () => {
    const service = await startTestService({ operators: ['chief'], signUpsPerClient: 3 })
    try {
      const { api } = dashboardClient(service)
      const call = () => problemOf(api.accounts.signUp.mutate({ handle: 'chief', password }))
      for (let i = 0; i < 3; i++) expect((await call())?.code).toBe('handle_taken')
      expect(await call()).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
    } finally {
      await service.stop()
    }
  })
})

describe('with sign-up by invitation', () => {
  test('accounts.entry reports that sign-up needs an invitation', async () => {
    expect(await dashboardClient(closed).api.accounts.entry.query()).toMatchObject({
      sign_up: 'invite',
      is_set_up: true,
    })
  })

  test('sign-up without an invitation is rejected', async () => {
    const anonymous = dashboardClient(closed)
    expect(await errorCodeOf(anonymous.api.accounts.signUp.mutate(newcomer()))).toBe('sign_up_closed')
    expect(await isSignedIn(anonymous)).toBe(false)
  })

  test('signing up with an invitation creates an account that joins the space of the invitation', async () => {
    const { invite, subdomain } = await hosted()
    const guest = dashboardClient(closed)
    const account = await guest.api.accounts.signUp.mutate({ ...newcomer(), invite: await invite() })
    expect(account.joined?.subdomain).toBe(subdomain)
    expect(await isSignedIn(guest)).toBe(true)
  })

  test('an invitation can be viewed without being used up', async () => {
    const { invite, subdomain } = await hosted()
    const token = await invite()
    const expected = { subdomain, name: 'Hosted', inviter: 'host', icon_url: null, role: 'owner' }
    for (let i = 0; i < 2; i++)
      expect(await dashboardClient(closed).api.invites.look.mutate({ token })).toEqual(expected)
  })

  test('an invitation creates only one account for several concurrent callers', async () => {
    const { invite, subdomain } = await hosted()
    const token = await invite()
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () =>
        errorCodeOf(dashboardClient(closed).api.accounts.signUp.mutate({ ...newcomer(), invite: token })),
      ),
    )
    expect(outcomes.filter(code => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(code => code === 'invite_not_found')).toHaveLength(3)
    expect(await host.api.participants.list.query({ subdomain })).toHaveLength(2)
  })

  test('a taken handle does not use up the invitation', async () => {
    const { invite } = await hosted()
    const token = await invite()
    const { api } = dashboardClient(closed)
    expect(await errorCodeOf(api.accounts.signUp.mutate({ handle: 'host', password, invite: token }))).toBe(
      'handle_taken',
    )
    expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBeUndefined()
  })

  test.each(['', 'x', 'x'.repeat(43)])('the invitation %j is rejected', async token => {
    const { api } = dashboardClient(closed)
    expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBe(
      'invite_not_found',
    )
    expect(await errorCodeOf(api.invites.look.mutate({ token }))).toBe('invite_not_found')
  })

  test('an expired invitation is rejected', async () => {
    const { invite } = await hosted()
    const token = await invite()
    await sql(closed).updateTable('invites').set({ expires_at: new Date() }).execute()
    const { api } = dashboardClient(closed)
    expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBe(
      'invite_not_found',
    )
  })

  test('an overlong token is reported as a field error', async () => {
    const call = dashboardClient(closed).api.accounts.signUp.mutate({
      ...newcomer(),
      invite: 'x'.repeat(101),
    })
    expect(await problemOf(call)).toMatchObject({ code: 'validation_failed', fields: ['invite'] })
  })
})

describe('the set-up link', () => {
  test('creates the first account, and works once', () =>
    withEmptyService(async service => {
      const { api } = dashboardClient(service)
      expect(await api.accounts.entry.query()).toMatchObject({ is_set_up: false })
      const token = tokenOf((await setUpLink(service))!)
      expect(await api.links.look.mutate({ token })).toEqual({ purpose: 'set_up', handle: null })

      const first = dashboardClient(service)
      await first.api.accounts.signUp.mutate({ ...newcomer(), set_up: token })
      expect(await isSignedIn(first)).toBe(true)
      expect(await api.accounts.entry.query()).toMatchObject({ is_set_up: true })
      expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
      expect(await errorCodeOf(api.links.look.mutate({ token }))).toBe('link_not_found')
    }))

  test('creates only one account for several concurrent callers', () =>
    withEmptyService(async service => {
      const token = tokenOf((await setUpLink(service))!)
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () =>
          errorCodeOf(dashboardClient(service).api.accounts.signUp.mutate({ ...newcomer(), set_up: token })),
        ),
      )
      expect(outcomes.filter(code => code === undefined)).toHaveLength(1)
      expect(outcomes.filter(code => code === 'link_not_found')).toHaveLength(3)
    }))

  test('stops working when another set-up link is created', () =>
    withEmptyService(async service => {
      const old = tokenOf((await setUpLink(service))!)
      const fresh = tokenOf((await setUpLink(service))!)
      const { api } = dashboardClient(service)
      expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), set_up: old }))).toBe(
        'link_not_found',
      )
      expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), set_up: fresh }))).toBeUndefined()
    }))

  test('expires after half an hour', () =>
    withEmptyService(async service => {
      const token = tokenOf((await setUpLink(service))!)
      await sql(service).updateTable('sign_in_links').set({ expires_at: new Date() }).execute()
      const { api } = dashboardClient(service)
      expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
    }))

  test('stops working once an account exists, however it was created', () =>
    withEmptyService(async service => {
      const token = tokenOf((await setUpLink(service))!)
      await sql(service)
        .insertInto('accounts')
        .values({ id: 'a'.repeat(16), handle: 'somebody', created_at: new Date() })
        .execute()
      const { api } = dashboardClient(service)
      expect(await errorCodeOf(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
      expect(await setUpLink(service)).toBeNull()
    }))

  test('is stored only as a hash and is never logged', () =>
    withEmptyService(async service => {
      const token = tokenOf((await setUpLink(service))!)
      const rows = await sql(service).selectFrom('sign_in_links').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token)
      await dashboardClient(service).api.accounts.signUp.mutate({ ...newcomer(), set_up: token })
      expect(JSON.stringify(service.log)).not.toContain(token)
    }))
})
