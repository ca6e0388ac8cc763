import { describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

describe('the list of changes', () => {
  it('is newest first, is complete across pages, and can be filtered by actor and time', async () => {
    const own = await service.createSpace()
    for (let n = 0; n < 60; n++) await own.api.put('/data/n', { value: n })
    await own.owner.data.put({ subdomain: own.subdomain, key: 'n', value: 'last' })
    const read = (filter: object) => own.owner.history.list({ subdomain: own.subdomain, ...filter })
    const first = await read({})
    const second = await read({ cursor: first.next })
    expect([first.changes.length, second.changes.length, second.next]).toEqual([50, 11, null])
    const [latest, byKey] = first.changes
    expect(latest!.actor).toMatchObject({ kind: 'session', handle: own.owner.handle, label: null })
    expect(byKey!.actor).toMatchObject({ kind: 'space_key', handle: own.owner.handle, label: 'test' })
    expect((await read({ actor: latest!.actor.id })).changes).toEqual([latest])
    expect((await read({ until: first.changes.at(-1)!.at })).changes.length).toBeLessThan(12)
    expect((await read({ kind: 'page' })).changes).toEqual([])
  })
})

describe('the history', () => {
  it('keeps the changes of a deleted account, without its handle', async () => {
    const { subdomain, owner, join } = await service.createSpace()
    const guest = await join()
    await guest.data.put({ subdomain, key: 'by-guest', value: 1 })
    await guest.accounts.delete({ confirm: guest.handle })
    const { changes } = await owner.history.list({ subdomain })
    expect(changes[0]).toMatchObject({ thing: 'by-guest', actor: { kind: 'session', handle: null } })
  })

  it('is for participants only, and is deleted with its space', async () => {
    const own = await service.createSpace()
    const { subdomain, owner } = own
    await own.api.post('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    for (const value of [1, 2]) await own.api.put('/data/a', { value })
    const outsider = await service.signUp()
    expect(await errorCodeOf(outsider.history.list({ subdomain }))).toBe('space_not_found')
    const db = service.core.database
    const { id } = await db
      .selectFrom('spaces')
      .where('subdomain', '=', subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    const rows = async () =>
      Promise.all(
        (['changes', 'writes', 'blobs'] as const).map(
          async table =>
            (await db.selectFrom(table).where('space_id', '=', id).select('space_id').execute()).length,
        ),
      )
    expect(await rows()).toEqual([3, 3, 1])
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect(await rows()).toEqual([0, 0, 0])
  })
})
