import { beforeAll, describe, expect, test } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { createSetUpLink } from '../../routers/accounts/links/create.ts'
import { startWorld, uniqueName, useWorld, type World } from '../support/world.ts'
import { refusal, refusedWith, tokenOf, type Visitor, visitor } from './support/visitor.ts'

const open = useWorld()
const closed = useWorld({ signUp: 'invite' })
const password = 'correct horse battery'

const sql = (world: World) => sqlOf(world.service.core.orm)
const setUpLink = ({ service: { core } }: World) => createSetUpLink(core.orm, core.addresses)
const newcomer = () => ({ handle: uniqueName('new'), password })

/** A world of its own without anybody in it. */
const emptyWorld = async (use: (world: World) => Promise<void>) => {
  const world = await startWorld({ signUp: 'invite' })
  try {
    await use(world)
  } finally {
    await world.service.stop()
  }
}

/** The first account of the world where others are made by invitation. */
let host: Visitor
beforeAll(async () => {
  host = visitor(closed)
  const set_up = tokenOf((await setUpLink(closed))!)
  await host.api.accounts.signUp.mutate({ handle: 'host', password, set_up })
})

/** A new space of the host's there. */
const hosted = async () => {
  const subdomain = uniqueName('hosted')
  await host.api.spaces.create.mutate({ subdomain, name: 'Hosted' })
  const invite = async () => tokenOf((await host.api.invites.create.mutate({ subdomain })).url)
  return { subdomain, invite }
}

const isSignedIn = async ({ api }: Visitor) => (await refusedWith(api.accounts.me.query())) === undefined

describe('where anybody may make an account', () => {
  test('it is told to whoever asks', async () => {
    expect(await visitor(open).api.accounts.entry.query()).toMatchObject({ sign_up: 'open', passkeys: true })
  })

  test('an invitation may come along, and joins at once', async () => {
    const { owner, subdomain } = await open.space()
    const { url } = await owner.invites.create({ subdomain })
    const guest = visitor(open)
    const made = await guest.api.accounts.signUp.mutate({ ...newcomer(), invite: tokenOf(url) })
    expect(made.joined).toEqual({ subdomain, name: `The ${subdomain}` })
    expect((await guest.api.spaces.list.query()).map(space => space.subdomain)).toEqual([subdomain])
  })

  test('new accounts are counted by network address', async () => {
    // An operator's handle is refused before its password is hashed: a hundred hashes take long on a busy machine.
    const world = await startWorld({ operators: ['chief'] })
    try {
      const { api } = visitor(world)
      const call = () => refusal(api.accounts.signUp.mutate({ handle: 'chief', password }))
      for (let i = 0; i < 100; i++) expect((await call())?.code).toBe('handle_taken')
      expect(await call()).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
    } finally {
      await world.service.stop()
    }
  })
})

describe('where accounts are made by invitation', () => {
  test('it is told to whoever asks', async () => {
    expect(await visitor(closed).api.accounts.entry.query()).toMatchObject({
      sign_up: 'invite',
      is_set_up: true,
    })
  })

  test('nobody makes one without', async () => {
    const stranger = visitor(closed)
    expect(await refusedWith(stranger.api.accounts.signUp.mutate(newcomer()))).toBe('sign_up_closed')
    expect(await isSignedIn(stranger)).toBe(false)
  })

  test('an invitation makes one, which takes part at once', async () => {
    const { invite, subdomain } = await hosted()
    const guest = visitor(closed)
    const made = await guest.api.accounts.signUp.mutate({ ...newcomer(), invite: await invite() })
    expect(made.joined?.subdomain).toBe(subdomain)
    expect(await isSignedIn(guest)).toBe(true)
  })

  test('it is shown what an invitation is for, without using it up', async () => {
    const { invite, subdomain } = await hosted()
    const token = await invite()
    const shown = { subdomain, name: 'Hosted', inviter: 'host', icon_url: null }
    for (let i = 0; i < 2; i++)
      expect(await visitor(closed).api.invites.look.mutate({ token })).toEqual(shown)
  })

  test('one invitation makes one account, also for many at the same moment', async () => {
    const { invite, subdomain } = await hosted()
    const token = await invite()
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () =>
        refusedWith(visitor(closed).api.accounts.signUp.mutate({ ...newcomer(), invite: token })),
      ),
    )
    expect(outcomes.filter(code => code === undefined)).toHaveLength(1)
    expect(outcomes.filter(code => code === 'invite_not_found')).toHaveLength(3)
    expect(await host.api.participants.list.query({ subdomain })).toHaveLength(2)
  })

  test('a handle that is taken uses no invitation up', async () => {
    const { invite } = await hosted()
    const token = await invite()
    const { api } = visitor(closed)
    expect(await refusedWith(api.accounts.signUp.mutate({ handle: 'host', password, invite: token }))).toBe(
      'handle_taken',
    )
    expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBeUndefined()
  })

  test.each(['', 'x', 'x'.repeat(43)])('the invitation %j does not open', async token => {
    const { api } = visitor(closed)
    expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBe(
      'invite_not_found',
    )
    expect(await refusedWith(api.invites.look.mutate({ token }))).toBe('invite_not_found')
  })

  test('an invitation that has expired does not open', async () => {
    const { invite } = await hosted()
    const token = await invite()
    await sql(closed).updateTable('invites').set({ expires_at: new Date() }).execute()
    const { api } = visitor(closed)
    expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), invite: token }))).toBe(
      'invite_not_found',
    )
  })

  test('an endless token is refused by its field', async () => {
    const call = visitor(closed).api.accounts.signUp.mutate({ ...newcomer(), invite: 'x'.repeat(101) })
    expect(await refusal(call)).toMatchObject({ code: 'validation_failed', fields: ['invite'] })
  })
})

describe('the set-up link', () => {
  test('makes the first account, and opens once', () =>
    emptyWorld(async world => {
      const { api } = visitor(world)
      expect(await api.accounts.entry.query()).toMatchObject({ is_set_up: false })
      const token = tokenOf((await setUpLink(world))!)
      expect(await api.links.look.mutate({ token })).toEqual({ purpose: 'set_up', handle: null })

      const first = visitor(world)
      await first.api.accounts.signUp.mutate({ ...newcomer(), set_up: token })
      expect(await isSignedIn(first)).toBe(true)
      expect(await api.accounts.entry.query()).toMatchObject({ is_set_up: true })
      expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
      expect(await refusedWith(api.links.look.mutate({ token }))).toBe('link_not_found')
    }))

  test('makes one account for many at the same moment', () =>
    emptyWorld(async world => {
      const token = tokenOf((await setUpLink(world))!)
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () =>
          refusedWith(visitor(world).api.accounts.signUp.mutate({ ...newcomer(), set_up: token })),
        ),
      )
      expect(outcomes.filter(code => code === undefined)).toHaveLength(1)
      expect(outcomes.filter(code => code === 'link_not_found')).toHaveLength(3)
    }))

  test('ends when another is made', () =>
    emptyWorld(async world => {
      const old = tokenOf((await setUpLink(world))!)
      const fresh = tokenOf((await setUpLink(world))!)
      const { api } = visitor(world)
      expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), set_up: old }))).toBe(
        'link_not_found',
      )
      expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), set_up: fresh }))).toBeUndefined()
    }))

  test('ends after half an hour', () =>
    emptyWorld(async world => {
      const token = tokenOf((await setUpLink(world))!)
      await sql(world).updateTable('sign_in_links').set({ expires_at: new Date() }).execute()
      const { api } = visitor(world)
      expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
    }))

  test('is dead once there is an account, however that was made', () =>
    emptyWorld(async world => {
      const token = tokenOf((await setUpLink(world))!)
      await sql(world)
        .insertInto('accounts')
        .values({ id: 'a'.repeat(16), handle: 'somebody', created_at: new Date() })
        .execute()
      const { api } = visitor(world)
      expect(await refusedWith(api.accounts.signUp.mutate({ ...newcomer(), set_up: token }))).toBe(
        'link_not_found',
      )
      expect(await setUpLink(world)).toBeNull()
    }))

  test('is kept as a hash alone, and is in no log', () =>
    emptyWorld(async world => {
      const token = tokenOf((await setUpLink(world))!)
      const rows = await sql(world).selectFrom('sign_in_links').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token)
      await visitor(world).api.accounts.signUp.mutate({ ...newcomer(), set_up: token })
      expect(JSON.stringify(world.log)).not.toContain(token)
    }))
})
