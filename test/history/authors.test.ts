import { beforeEach, describe, expect, it } from 'vitest'
import { toolClient } from '../mcp/support/tool-client.ts'
import { request } from '../space-api/support/http.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
let guest: Person
beforeEach(async () => {
  space = await service.createSpace()
  guest = await space.join()
})

const changes = async () => (await space.owner.history.list({ subdomain: space.subdomain })).changes
const put = (secret: string, key: string, value = 1) =>
  service.rest(secret).put(`/spaces/${space.subdomain}/data/${key}`, { value })

describe('a rotated key', () => {
  it('remains one author when several participants rotate it, whether or not the old key still works', async () => {
    const { owner, subdomain } = space
    const first = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const second = await guest.keys.rotate({ subdomain, key_id: first.id, overlap_seconds: 3600 })
    const third = await owner.keys.rotate({ subdomain, key_id: second.id, overlap_seconds: 0 })
    const other = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    for (const [n, { secret }] of [first, third, other].entries()) await put(secret, `record-${n}`)
    const actors = await owner.history.actors({ subdomain })
    expect(actors.map(({ id }) => id)).toEqual([other.id, first.id])
    const list = await owner.history.list({ subdomain, actor: first.id })
    expect(list.changes.map(({ thing }) => thing)).toEqual(['record-1', 'record-0'])
    const listed = await owner.keys.list({ subdomain })
    expect(listed.find(({ id }) => id === third.id)).toMatchObject({ author_id: first.id })
  })

  it('needs only one undo for its changes before and after the rotation', async () => {
    const { owner, subdomain } = space
    const first = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    await put(first.secret, 'a')
    const second = await owner.keys.rotate({ subdomain, key_id: first.id, overlap_seconds: 3600 })
    await put(second.secret, 'a', 2)
    const since = '2000-01-01T00:00:00.000Z'
    expect(await owner.history.undo({ subdomain, actor: first.id, since })).toMatchObject({
      steps: [{ thing: 'a', effect: 'delete' }],
      skipped: [],
    })
  })
})

it('a file that is sent to an upload link has the author of the key that created the link, also after a rotation', async () => {
  const { owner, subdomain } = space
  const first = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['files_write'] })
  const second = await owner.keys.rotate({ subdomain, key_id: first.id, overlap_seconds: 3600 })
  const client = toolClient(service, '/mcp/studio', second.secret, '2026-07-28')
  const link = await client.call('create_upload_link', { name: 'logo.png' })
  const { pathname } = new URL(String(link.structuredContent?.url))
  expect((await request(service.root, 'PUT', pathname, { body: 'bytes' })).status).toBe(201)
  const [upload] = await changes()
  expect(upload).toMatchObject({ kind: 'file', actor: { id: first.id, label: 'Build' } })
})

describe('deleting an account', () => {
  it('removes the labels of its keys from the history, wherever they are shown', async () => {
    const { owner, subdomain } = space
    const secret = await space.key('data')
    await put(secret, 'a')
    const key = await guest.keys.issue({ subdomain, label: 'Robin Smith', scopes: ['data'] })
    await put(key.secret, 'a', 2)
    await put(key.secret, 'b')
    const [{ id: change_id, actor }] = (await changes()) as [Awaited<ReturnType<typeof changes>>[number]]
    expect(actor).toMatchObject({ label: 'Robin Smith', handle: guest.handle })
    const first = (await changes()).at(-1)!
    await guest.accounts.delete({ confirm: guest.handle })
    const { history } = owner
    const undo = { subdomain, actor: first.actor.id, since: '2000-01-01T00:00:00.000Z' }
    const shown = await Promise.all([
      history.list({ subdomain }),
      history.get({ subdomain, change_id }),
      history.actors({ subdomain }),
      history.compare({ subdomain, from: change_id }),
      history.previewUndo(undo),
    ])
    expect(shown[0].changes[0]).toMatchObject({ actor: { label: null, handle: null } })
    expect(shown[4].skipped).toMatchObject([{ thing: 'a', later: { actor_label: null, handle: null } }])
    expect(JSON.stringify(shown)).not.toContain('Robin')
  })
})
