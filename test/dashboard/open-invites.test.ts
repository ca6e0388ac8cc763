import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

const tokenOf = ({ url }: { url: string }) => new URL(url).hash.slice(1)

describe('the list of open invitations', () => {
  test('shows the inviter and the expiry of each, but no secret', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id, url, expires_at } = await owner.invites.create({ subdomain })
    const list = await owner.invites.list({ subdomain })
    expect(list).toEqual([
      {
        id,
        inviter: owner.handle,
        role: 'owner',
        expires_at,
        created_at: expect.stringMatching(/^\d{4}-/) as string,
      },
    ])
    expect(JSON.stringify(list)).not.toContain(tokenOf({ url }))
    expect(Date.parse(expires_at) - Date.parse(list[0]!.created_at)).toBe(7 * 24 * 60 * 60 * 1000)
  })

  test('leaves out used and expired invitations', async () => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    await space.join()
    expect(await owner.invites.list({ subdomain })).toEqual([])
    await owner.invites.create({ subdomain })
    await service.core.database.orm.em
      .fork()
      .execute(`update invites set expires_at = expires_at - interval '7 days'`)
    expect(await owner.invites.list({ subdomain })).toEqual([])
  })
})

describe('an invitation', () => {
  test('no longer works after it is revoked', async () => {
    const { owner, subdomain } = await service.createSpace()
    const invite = await owner.invites.create({ subdomain })
    await owner.invites.withdraw({ subdomain, invite_id: invite.id })
    const call = (await service.signUp()).invites.accept({ token: tokenOf(invite) })
    expect(await errorCodeOf(call)).toBe('invite_not_found')
    expect(await owner.invites.list({ subdomain })).toEqual([])
    expect(await errorCodeOf(owner.invites.withdraw({ subdomain, invite_id: invite.id }))).toBe(
      'invite_not_found',
    )
  })

  test.each(['participant', 'outsider', 'anonymous caller', 'participant of another space'] as const)(
    'can be revoked only by participants of its space (caller: %s)',
    async who => {
      const space = await service.createSpace()
      const { subdomain } = space
      const guest = await space.join()
      const other = await service.createSpace()
      const { id } = await space.owner.invites.create({ subdomain })
      const withdraw = { subdomain, invite_id: id }
      const call = {
        participant: async () => guest.invites.withdraw(withdraw),
        outsider: async () => (await service.signUp()).invites.withdraw(withdraw),
        'anonymous caller': async () => service.anonymous().invites.withdraw(withdraw),
        'participant of another space': async () =>
          other.owner.invites.withdraw({ ...withdraw, subdomain: other.subdomain }),
      }[who]
      const expected = {
        participant: undefined,
        outsider: 'space_not_found',
        'anonymous caller': 'sign_in_required',
        'participant of another space': 'invite_not_found',
      }[who]
      expect(await errorCodeOf(call())).toBe(expected)
      expect(await space.owner.invites.list({ subdomain })).toHaveLength(expected === undefined ? 0 : 1)
    },
  )
})
