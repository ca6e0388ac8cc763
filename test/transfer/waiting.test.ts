import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import {
  startTestService,
  type TestService,
  type TestSpace,
  useTestService,
} from '../support/test-service.ts'
import { folderOf } from './support/folder.ts'

const service = useTestService()
let space: TestSpace
beforeEach(async () => {
  space = await service.createSpace()
})

/** Begins to wait for a change of the listing. @returns the waiting call, once it has begun */
const wait = async (at: TestService, subdomain: string, key: string) => {
  const folder = folderOf(at, subdomain, key)
  const etag = (await folder.send('GET')).headers.get('etag')!
  const { revisions } = at.core
  const begun = Promise.withResolvers<void>()
  const watch = revisions.watch.bind(revisions)
  revisions.watch = (...args) => {
    begun.resolve()
    return watch(...args)
  }
  const answer = folder.send('GET', undefined, { 'if-none-match': etag, prefer: 'wait=25' })
  await begun.promise
  return { etag, answer }
}

describe('a call that prefers to wait for a change', () => {
  test('is answered when the space changes, and counts once', async () => {
    const key = await space.key(...SPACE_SCOPES)
    const { etag, answer } = await wait(service, space.subdomain, key)
    await space.api.put('/data/a', { value: 1 })
    const response = await answer
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'wait=25'])
    expect(response.headers.get('etag')).not.toBe(etag)
    expect(await response.json()).toMatchObject({ items: [{ path: 'data/a.json' }] })
    const rate = await service.rest(key).get(`/spaces/${space.subdomain}`)
    const { limit, remaining } = Object.fromEntries(
      ['limit', 'remaining'].map(name => [name, Number(rate.headers.get(`ratelimit-${name}`))]),
    )
    // The listing from before, the one that waited, and this call.
    expect(limit! - remaining!).toBe(3)
  })

  test('is answered at once if the caller has an older listing, or none', async () => {
    const folder = folderOf(service, space.subdomain, await space.key(...SPACE_SCOPES))
    expect((await folder.send('GET', undefined, { prefer: 'wait=25' })).status).toBe(200)
    const headers = { 'if-none-match': '"1-x"', prefer: 'wait=25' }
    expect((await folder.send('GET', undefined, headers)).status).toBe(200)
  })

  test('tells nothing to a caller whose key has ended meanwhile', async () => {
    const { subdomain, owner } = space
    const scopes = [...SPACE_SCOPES]
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'waits', scopes })
    const { answer } = await wait(service, subdomain, secret)
    await owner.keys.revoke({ subdomain, key_id: id })
    await space.api.put('/data/a', { value: 1 })
    expect((await answer).status).toBe(401)
  })

  test('is answered when the service stops', async () => {
    const own = await startTestService()
    const { subdomain, key } = await own.createSpace()
    const { etag, answer } = await wait(own, subdomain, await key(...SPACE_SCOPES))
    const stopped = own.stop()
    const response = await answer
    expect([response.status, response.headers.get('etag')]).toEqual([304, etag])
    await stopped
  })
})
