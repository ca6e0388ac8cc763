import { describe, expect, it } from 'vitest'
import { newId } from '../../db/id.ts'
import { withoutHistory } from '../support/history.ts'
import { useTestService } from '../support/test-service.ts'
import { statusesOf } from './support/responses.ts'
import { useSpacePerTest } from './support/space-per-test.ts'

const QUOTA = 104_857_600

interface Listed {
  data: { id: string; name: string; size: number }[]
  storage: { used: number; quota: number; file_max_bytes: number }
}

const service = useTestService()
const space = useSpacePerTest(service)

/** Inserts into the database a file that counts as `size` bytes but has no content. */
const occupy = async (size: number, createdAt = new Date()) => {
  const sql = service.core.database
  const { id: space_id } = await sql
    .selectFrom('spaces')
    .where('subdomain', '=', space.subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  const id = newId()
  const file = {
    space_id,
    id,
    name: 'large.bin',
    content_type: 'application/octet-stream',
    size,
    digest: Buffer.alloc(32),
    uploaded_by_id: null,
    created_at: createdAt,
    updated_at: createdAt,
  }
  await withoutHistory(sql, db => db.insertInto('files').values(file).execute())
  return id
}

const upload = (size: number, name = 'a.txt') =>
  space.api.post<{ id: string }>('/files', { name, content: 'a'.repeat(size), encoding: 'text' })

const storage = async () => (await space.api.get<Listed>('/files')).body.storage

const full = { status: 409, code: 'storage_quota_exceeded' }

describe('the list of files', () => {
  it('starts empty and shows the quota', async () => {
    const { status, body } = await space.api.get('/files')
    expect(status).toBe(200)
    expect(body).toEqual({ data: [], storage: { used: 0, quota: QUOTA, file_max_bytes: 10_485_760 } })
  })

  it('has every file, newest first, and the total size', async () => {
    for (const [index, name] of ['a.txt', 'b.txt', 'a.txt', 'c.txt'].entries()) await upload(index + 1, name)
    const { body } = await space.api.get<Listed>('/files')
    expect(body.data.map(({ name, size }) => [name, size])).toEqual([
      ['c.txt', 4],
      ['a.txt', 3],
      ['b.txt', 2],
      ['a.txt', 1],
    ])
    expect(body.storage.used).toBe(10)
    expect(body.data[0]).not.toHaveProperty('content')
  })

  it('keeps the order of files that were created at the same time, even after changes', async () => {
    const at = new Date('2026-01-01T00:00:00Z')
    const ids = [await occupy(1, at), await occupy(1, at), await occupy(1, at)]
    await space.api.patch(`/files/${ids[0]}`, { name: 'changed.txt' })
    const { body } = await space.api.get<Listed>('/files')
    expect(body.data.map(({ id }) => id)).toEqual(ids.toReversed())
  })
})

describe('the storage of a space', () => {
  it('can be filled to the last byte', async () => {
    await occupy(QUOTA - 10)
    expect((await upload(11)).body).toMatchObject(full)
    expect((await storage()).used).toBe(QUOTA - 10)
    expect((await upload(10)).status).toBe(201)
    expect((await storage()).used).toBe(QUOTA)
    expect((await upload(1)).body).toMatchObject(full)
  })

  it('does not count content that was replaced', async () => {
    await occupy(QUOTA - 10)
    const { body: file } = await upload(10)
    const change = (size: number) =>
      space.api.patch(`/files/${file.id}`, {
        content: 'b'.repeat(size),
        encoding: 'text',
        name: 'changed.txt',
      })
    expect((await change(11)).body).toMatchObject(full)
    expect((await space.api.get(`/files/${file.id}`)).body).toEqual(file)
    expect((await change(10)).status).toBe(200)
    expect((await change(3)).status).toBe(200)
    expect((await upload(7)).status).toBe(201)
    expect((await space.api.patch(`/files/${file.id}`, { name: 'renamed.txt' })).status).toBe(200)
  })

  it('does not count deleted files', async () => {
    const id = await occupy(QUOTA)
    await space.api.delete(`/files/${id}`)
    expect((await upload(1)).status).toBe(201)
  })

  it('has a limit that holds for concurrent uploads', async () => {
    await occupy(QUOTA - 30)
    const responses = await Promise.all(Array.from({ length: 8 }, () => upload(10)))
    expect(statusesOf(responses)).toEqual([201, 201, 201, ...Array(5).fill(409)])
    expect((await storage()).used).toBe(QUOTA)
  })

  it('has a limit that is checked after the size limit of a file', async () => {
    await occupy(QUOTA)
    const response = await upload(10_485_761)
    expect(response.body).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(response.body).toMatchObject({ errors: [{ field: 'content' }] })
  })
})
