import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectObjects } from '../../db/file-store/collect.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { unpack } from '../transfer/support/archives.ts'
import { signInMover } from '../transfer/support/browser-session.ts'
import { fileStoreAt, type S3Server, startS3Server } from './support/s3-server.ts'

let server: S3Server
let service: TestService
beforeAll(async () => {
  server = await startS3Server()
  service = await startTestService(fileStoreAt(server.port))
})
afterAll(async () => {
  await service?.stop()
  await server?.remove()
})

const DAY = 24 * 60 * 60_000
const db = () => service.core.database
const collect = (days = 0) =>
  collectObjects(service.core.database, service.core.fileStore!, 7, new Date(Date.now() + days * DAY))

interface File {
  id: string
  name: string
  size: number
  /** The code of the error, if the request failed. */
  code?: string
}

const upload = (space: TestSpace, name: string, content: string) =>
  space.api.post<File>('/files', { name, content, encoding: 'text' })
const created = async (space: TestSpace, name: string, content: string) =>
  (await upload(space, name, content)).body
const get = (id: string, headers: Record<string, string> = {}) =>
  requestHost(service, `${id}.files.localhost`, '/', { headers })
const idOf = async ({ subdomain }: TestSpace) =>
  (await db().selectFrom('spaces').where('subdomain', '=', subdomain).select('id').executeTakeFirstOrThrow())
    .id
/** Returns how many file contents of a space are in the database, and how many are in the store. */
const places = async (space: TestSpace) => {
  const { rows } = await sql<{ database: number; store: number }>`
    select count(bytes)::int as database, count(object)::int as store from blobs
    where space_id = ${await idOf(space)}`.execute(db())
  return rows[0]!
}
const objectsOf = async (space: TestSpace) => server.objects(`live/${await idOf(space)}/`)
/** A text so long that the service needs several requests to read it from the store. */
const LONG = 'A line of a long text.\n'.repeat(100_000)

describe('with a file store', () => {
  test('the bytes of a file are stored in the store, and served whole and in ranges', async () => {
    const space = await service.createSpace()
    for (const content of ['short', LONG]) {
      const { id } = await created(space, 'a.bin', content)
      expect((await get(id)).text).toBe(content)
      const range = await get(id, { range: 'bytes=2-4' })
      expect([range.status, range.text]).toEqual([206, content.slice(2, 5)])
      const end = await get(id, { range: 'bytes=-1500000' })
      expect(end.text).toBe(content.slice(-1_500_000))
    }
    expect(await places(space)).toEqual({ database: 0, store: 2 })
    expect(await objectsOf(space)).toHaveLength(2)
  })

  test('a text file is compressed for clients that accept gzip', async () => {
    const space = await service.createSpace()
    const { id } = await created(space, 'a.txt', LONG)
    const response = await get(id, { 'accept-encoding': 'gzip' })
    expect(response.headers['content-encoding']).toBe('gzip')
    expect(response.bytes.length).toBeLessThan(LONG.length / 10)
  })

  test('a replaced or deleted file can be restored, and its text is shown in the history', async () => {
    const space = await service.createSpace()
    const { id } = await created(space, 'a.txt', 'first')
    await space.api.patch(`/files/${id}`, { content: 'second', encoding: 'text' })
    expect((await get(id)).text).toBe('second')
    await space.api.delete(`/files/${id}`)
    expect((await get(id)).status).toBe(404)
    const { subdomain, owner } = space
    const { changes } = await owner.history.list({ subdomain })
    const [, replacement] = changes
    const { before, after } = await owner.history.get({ subdomain, change_id: replacement!.id })
    expect([before?.text, after?.text]).toEqual(['first', 'second'])
    await owner.history.restore({ subdomain, change_id: replacement!.id, side: 'before' })
    expect((await get(id)).text).toBe('first')
    expect(await places(space)).toEqual({ database: 0, store: 2 })
    expect((await sql.raw(HISTORY_FAULTS).execute(db())).rows).toEqual([])
  })

  test('several files can be downloaded as one archive', async () => {
    const mover = await signInMover(service)
    const space = await mover.space()
    const files = [await created(space, 'a.txt', 'one'), await created(space, 'a.txt', LONG)]
    const response = await fetch(`${service.root}/transfer/${space.subdomain}/files`, {
      method: 'POST',
      headers: { cookie: mover.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ file_ids: files.map(({ id }) => id) }),
    })
    const archive = await unpack(Buffer.from(await response.arrayBuffer()))
    expect(archive.get('a.txt')?.toString()).toBe('one')
    expect(archive.get('a-2.txt')?.toString()).toBe(LONG)
  })

  test('an archive contains the bytes, and an import writes them to the store', async () => {
    const mover = await signInMover(service)
    const [from, to] = [await mover.space(), await mover.space()]
    await created(from, 'a.txt', 'one')
    await created(from, 'b.txt', LONG)
    await created(from, 'c.txt', 'one')
    const archive = await mover.archive(from.subdomain)
    expect((await mover.put(to.subdomain, archive)).status).toBe(200)
    expect(await places(to)).toEqual({ database: 0, store: 2 })
    const { data } = (await to.api.get<{ data: File[] }>('/files')).body
    const texts = await Promise.all(data.map(async ({ name, id }) => [name, (await get(id)).text]))
    expect(Object.fromEntries(texts)).toEqual({ 'a.txt': 'one', 'b.txt': LONG, 'c.txt': 'one' })
  })

  test('the files of a starter are stored in the store', async () => {
    const owner = await service.signUp()
    await owner.spaces.create({ subdomain: 'started', name: 'Started', starter: 'links' })
    const { rows } = await sql<{ files: number; objects: number }>`
      select count(*)::int as files, count(blob.object)::int as objects
      from files join blobs as blob using (space_id, digest)
      where space_id = (select id from spaces where subdomain = 'started')`.execute(db())
    expect(rows[0]!.files).toBeGreaterThan(0)
    expect(rows[0]!.objects).toBe(rows[0]!.files)
  })

  test('the database keeps a replaced icon, and also a file with the bytes of the replaced icon', async () => {
    const space = await service.createSpace()
    const { subdomain, owner } = space
    const png = (background: string) => testPng({ width: 256, height: 256, background })
    await owner.spaces.setIcon({ subdomain, png: await png('red') })
    const icon = await db()
      .selectFrom('icons')
      .where('space_id', '=', await idOf(space))
      .select('png')
      .executeTakeFirstOrThrow()
    const content = Buffer.from(icon.png as Uint8Array).toString('base64')
    const { id } = (await space.api.post<File>('/files', { name: 'a.png', content, encoding: 'base64' })).body
    await owner.spaces.setIcon({ subdomain, png: await png('blue') })
    expect(await places(space)).toEqual({ database: 1, store: 0 })
    expect((await get(id)).bytes.toString('base64')).toBe(content)
    await space.api.post('/files', { name: 'b.png', content, encoding: 'base64' })
    expect(await places(space)).toEqual({ database: 1, store: 0 })
    const { changes } = await owner.history.list({ subdomain })
    const change = changes.find(({ thing, action }) => thing === 'icon' && action === 'change')
    await owner.history.restore({ subdomain, change_id: change!.id, side: 'before' })
    const restored = await db()
      .selectFrom('icons')
      .where('space_id', '=', await idOf(space))
      .select('png')
      .executeTakeFirstOrThrow()
    expect(Buffer.from(restored.png as Uint8Array).toString('base64')).toBe(content)
  })
})

describe('the quota', () => {
  test('counts files as it does without a store, and a refused upload leaves nothing behind', async () => {
    const space = await service.createSpace()
    const tenth = 'x'.repeat(10_485_760)
    for (let n = 0; n < 10; n++) expect((await upload(space, `${n}`, tenth)).status).toBe(201)
    const refused = await upload(space, 'more', 'y')
    expect(refused.body.code).toBe('storage_quota_exceeded')
    const { storage, data } = (await space.api.get<{ storage: { used: number }; data: File[] }>('/files'))
      .body
    expect(storage.used).toBe(104_857_600)
    await collect()
    expect(new Set((await objectsOf(space)).map(name => name.split('/')[2])).size).toBe(1)
    await space.api.delete(`/files/${data[0]!.id}`)
    expect((await upload(space, 'more', 'y')).status).toBe(201)
  })
})

describe('an object', () => {
  test('is deleted when the history has not needed it for the configured number of days', async () => {
    const space = await service.createSpace()
    const { id } = await created(space, 'a.txt', 'old')
    await created(space, 'b.txt', 'kept')
    await space.api.delete(`/files/${id}`)
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    await space.owner.history.erase({ subdomain: space.subdomain, change_id: changes[0]!.id })
    await expect.poll(() => places(space)).toEqual({ database: 0, store: 1 })
    await collect(6)
    expect(await objectsOf(space)).toHaveLength(2)
    await collect(8)
    expect(await objectsOf(space)).toHaveLength(1)
  })

  test('is deleted some days after its space', async () => {
    const space = await service.createSpace()
    await created(space, 'a.txt', 'old')
    const prefix = `live/${await idOf(space)}/`
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    await collect(6)
    expect(await server.objects(prefix)).toHaveLength(1)
    await collect(8)
    expect(await server.objects(prefix)).toEqual([])
  })

  test('that a killed process has left behind is deleted after a day', async () => {
    const space = await service.createSpace()
    const [spaceId, digest] = [await idOf(space), Buffer.alloc(32)]
    await sql`insert into unused_objects values (${spaceId}, ${digest}, 'x', 'staged', 3, now())`.execute(
      db(),
    )
    const name = `live/${spaceId}/${digest.toString('hex')}/x`
    await server.overwrite(name, 'abc')
    await collect(0.9)
    expect(await objectsOf(space)).toEqual([name])
    await collect(1.1)
    expect(await objectsOf(space)).toEqual([])
  })

  test('that is already being deleted cannot be used', async () => {
    const space = await service.createSpace()
    const give = `
      create function give_up() returns trigger language plpgsql as $$ begin
        update unused_objects set state = 'deleting'; return null; end $$;
      create trigger give_up after insert on unused_objects execute function give_up()`
    await sql.raw(give).execute(db())
    const refused = await upload(space, 'a.txt', 'late')
    await sql.raw('drop function give_up cascade').execute(db())
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(await places(space)).toEqual({ database: 0, store: 0 })
    expect((await space.api.get<{ data: File[] }>('/files')).body.data).toEqual([])
  })

  test('that was damaged is replaced when its bytes are uploaded again', async () => {
    const space = await service.createSpace()
    const { id } = await created(space, 'a.txt', 'intact')
    const [name] = await objectsOf(space)
    await server.overwrite(name!, 'broken')
    expect((await get(id)).status).toBe(503)
    await created(space, 'b.txt', 'intact')
    expect((await get(id)).text).toBe('intact')
    await collect(8)
    expect(await objectsOf(space)).toHaveLength(1)
  })
})
