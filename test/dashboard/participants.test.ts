import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

/** The token in an invitation's URL. */
const tokenOf = ({ url }: { url: string }) => new URL(url).hash.slice(1)

/** Creates a space with a second participant. */
const sharedSpace = async () => {
  const space = await service.createSpace()
  // Participants are listed in the order in which they joined, so make the owner join earlier than the guest.
  await service.core.database.orm.em
    .fork()
    .execute(`update participants set joined_at = joined_at - interval '1 minute'`)
  return { ...space, guest: await space.join() }
}

describe('an invitation', () => {
  test('adds a participant', async () => {
    const { owner, guest, subdomain } = await sharedSpace()
    const handles = (await owner.participants.list({ subdomain })).map(({ handle }) => handle)
    expect(handles).toEqual([owner.handle, guest.handle])
    expect((await guest.spaces.list()).map(space => space.subdomain)).toEqual([subdomain])
  })

  test('works once, even for two concurrent callers', async () => {
    const { owner, subdomain } = await service.createSpace()
    const token = tokenOf(await owner.invites.create({ subdomain }))
    const guests = await Promise.all([service.signUp(), service.signUp()])
    const outcomes = await Promise.all(guests.map(guest => errorCodeOf(guest.invites.accept({ token }))))
    expect(new Set(outcomes)).toEqual(new Set(['invite_not_found', undefined]))
    expect(await owner.participants.list({ subdomain })).toHaveLength(2)
  })

  test('is not used up when a participant of the space tries to accept it', async () => {
    const { owner, subdomain } = await service.createSpace()
    const token = tokenOf(await owner.invites.create({ subdomain }))
    expect(await errorCodeOf(owner.invites.accept({ token }))).toBe('already_participant')
    expect((await (await service.signUp()).invites.accept({ token })).subdomain).toBe(subdomain)
  })

  test('stops working when its creator leaves', async () => {
    const { guest, subdomain } = await sharedSpace()
    const token = tokenOf(await guest.invites.create({ subdomain }))
    await guest.participants.leave({ subdomain })
    expect(await errorCodeOf((await service.signUp()).invites.accept({ token }))).toBe('invite_not_found')
  })

  test('is rejected if its token is unknown', async () => {
    expect(await errorCodeOf((await service.signUp()).invites.accept({ token: 'x' }))).toBe(
      'invite_not_found',
    )
  })
})

describe('leaving', () => {
  test('permanently ends the keys that the participant issued', async () => {
    const { owner, guest, subdomain } = await sharedSpace()
    const { secret } = await guest.keys.issue({ subdomain, label: 'mine', scopes: ['pages'] })
    const api = service.rest(secret, `/v1/spaces/${subdomain}`)
    expect((await api.get('')).status).toBe(200)

    await guest.participants.leave({ subdomain })
    expect((await api.get('')).status).toBe(401)

    const token = tokenOf(await owner.invites.create({ subdomain }))
    await guest.invites.accept({ token })
    expect((await api.get('')).status).toBe(401)
  })

  test('is rejected for the last participant', async () => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorCodeOf(owner.participants.leave({ subdomain }))).toBe('last_participant')
  })

  test('succeeds for only one of the last two participants who leave concurrently', async () => {
    const { owner, guest, subdomain } = await sharedSpace()
    const outcomes = await Promise.all([
      errorCodeOf(owner.participants.leave({ subdomain })),
      errorCodeOf(guest.participants.leave({ subdomain })),
    ])
    expect(new Set(outcomes)).toEqual(new Set(['last_participant', undefined]))
  })
})
