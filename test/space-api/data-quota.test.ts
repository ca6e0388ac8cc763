import { describe, expect, it } from 'vitest'
import { withoutHistory } from '../support/history.ts'
import { useTestService } from '../support/test-service.ts'
import { statusesOf } from './support/responses.ts'
import { useSpacePerTest } from './support/space-per-test.ts'

const service = useTestService()
const space = useSpacePerTest(service)

/** Stores `count` records of `size` bytes directly in the database. */
const fill = async (count: number, size: number) => {
  const sql = service.core.database
  const { id } = await sql
    .selectFrom('spaces')
    .where('subdomain', '=', space.subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  const records = Array.from({ length: count }, (_, index) => ({
    space_id: id,
    key: `filled-${index}`,
    value: `"${'a'.repeat(size - 2)}"`,
    size,
    version: 1,
    updated_at: new Date(),
  }))
  await withoutHistory(sql, db => db.insertInto('data_records').values(records).execute())
}

/** Returns a value of the given number of bytes. */
const sized = (bytes: number) => 'a'.repeat(bytes - 2)

const full = { status: 409, code: 'data_quota_exceeded' }

describe('the limit of records', () => {
  it('is 100 records; at the limit, existing records can still be written', async () => {
    await fill(99, 10)
    expect((await space.api.put('/data/last', { value: 1 })).status).toBe(200)
    expect((await space.api.put('/data/one-more', { value: 1 })).body).toMatchObject(full)
    expect((await space.api.put('/data/last', { value: 2 })).status).toBe(200)
    expect((await space.api.put('/data/filled-5', { value: 2, version: 1 })).status).toBe(200)
    await space.api.delete('/data/filled-0')
    expect((await space.api.put('/data/one-more', { value: 1 })).status).toBe(200)
    expect((await space.api.get('/data')).body.data).toHaveLength(100)
  })

  it('holds for concurrent writes', async () => {
    await fill(95, 10)
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => space.api.put(`/data/new-${index}`, { value: 1 })),
    )
    expect(statusesOf(responses)).toEqual([...Array(5).fill(200), ...Array(7).fill(409)])
    expect((await space.api.get('/data')).body.data).toHaveLength(100)
  })

  it('is checked only after the version in the request has been accepted', async () => {
    await fill(100, 10)
    expect((await space.api.put('/data/none', { value: 1, version: 1 })).body.code).toBe('data_not_found')
    expect((await space.api.put('/data/filled-1', { value: 1, version: 9 })).body.code).toBe(
      'version_conflict',
    )
  })
})

describe('the limit on the total size of all records', () => {
  it('is 1048576 bytes', async () => {
    await fill(15, 65_536)
    expect((await space.api.put('/data/a', { value: sized(65_535) })).status).toBe(200)
    expect((await space.api.put('/data/b', { value: 12 })).body).toMatchObject(full)
    expect((await space.api.put('/data/b', { value: 1 })).status).toBe(200)
    expect((await space.api.put('/data/b', { value: 12 })).body).toMatchObject(full)
    expect((await space.api.get('/data/b')).body).toMatchObject({ value: 1, version: 1 })
    expect((await space.api.put('/data/a', { value: sized(65_536) })).body).toMatchObject(full)
    expect((await space.api.put('/data/a', { value: sized(65_535) })).status).toBe(200)
  })

  it('does not count values that were replaced', async () => {
    await fill(16, 65_536)
    expect((await space.api.put('/data/filled-3', { value: sized(65_536) })).status).toBe(200)
    expect((await space.api.put('/data/filled-3', { value: sized(65_535) })).status).toBe(200)
    expect((await space.api.put('/data/new', { value: 1 })).status).toBe(200)
  })

  it('holds for concurrent writes', async () => {
    await fill(14, 65_536)
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => space.api.put(`/data/new-${index}`, { value: sized(65_536) })),
    )
    expect(statusesOf(responses)).toEqual([200, 200, 409, 409, 409, 409])
  })

  it('counts the bytes of values, not characters, and ignores keys and descriptions', async () => {
    await fill(15, 65_536)
    const description = 'd'.repeat(200)
    expect((await space.api.put('/data/a', { value: 'é'.repeat(32_767), description })).status).toBe(200)
    expect((await space.api.put('/data/b', { value: 1 })).body).toMatchObject(full)
  })
})
