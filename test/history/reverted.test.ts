import { beforeEach, describe, expect, it } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
beforeEach(async () => {
  space = await service.createSpace()
})

const SINCE = '2000-01-01T00:00:00.000Z'

const put = (value: string) => space.api.put('/data/a', { value })
const putByOwner = (value: string) => space.owner.data.put({ subdomain: space.subdomain, key: 'a', value })
const readValue = async () => (await space.api.get<{ value?: string }>('/data/a')).body.value

/** Undoes the changes of the first author. */
const undo = async () => {
  const { owner, subdomain } = space
  const { changes } = await owner.history.list({ subdomain })
  return owner.history.undo({ subdomain, actor: changes.at(-1)!.actor.id, since: SINCE })
}

describe('an undo of the changes that a key made', () => {
  it('includes an item that someone else changed and changed back', async () => {
    await put('1')
    await putByOwner('other')
    await putByOwner('1')
    expect(await undo()).toMatchObject({ steps: [{ thing: 'a', effect: 'delete' }], skipped: [] })
    expect(await readValue()).toBeUndefined()
  })

  it('includes an item that someone else deleted and restored', async () => {
    const { owner, subdomain } = space
    await put('1')
    await owner.data.delete({ subdomain, key: 'a' })
    const [deletion] = (await owner.history.list({ subdomain })).changes
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    expect(await undo()).toMatchObject({ steps: [{ thing: 'a', effect: 'delete' }], skipped: [] })
  })

  it('includes an item that someone else changed and changed back, and that the key then changed again', async () => {
    await put('1')
    await putByOwner('other')
    await putByOwner('1')
    await put('2')
    expect(await undo()).toMatchObject({ steps: [{ thing: 'a', effect: 'delete' }], skipped: [] })
  })

  it('skips an item that someone else changed, even if the key then wrote its own earlier value again', async () => {
    await put('1')
    await putByOwner('other')
    await put('1')
    expect(await undo()).toMatchObject({ steps: [], skipped: [{ thing: 'a', reason: 'changed_since' }] })
    expect(await readValue()).toBe('1')
  })

  it('reports the last change that was not reverted, with its time in UTC', async () => {
    await put('1')
    await putByOwner('other')
    await put('2')
    await putByOwner('3')
    await putByOwner('2')
    const { owner, subdomain } = space
    const other = (await owner.history.list({ subdomain })).changes[3]!
    expect((await undo()).skipped).toMatchObject([{ thing: 'a', later: { at: other.at } }])
  })
})
