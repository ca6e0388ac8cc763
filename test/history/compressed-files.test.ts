import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { compressFiles } from '../../routers/content/history/compress-files.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import type { TestSpace } from '../support/test-service.ts'

const quiet = useQuietService()
const TEXT = 'body { margin: 0 }\n'.repeat(20_000)
const NOISE = randomBytes(50_000)
const HOUR = 60 * 60_000

let space: TestSpace
let spaceId: string
beforeEach(async () => {
  space = await quiet.service.createSpace()
  const row = await db().selectFrom('spaces').where('subdomain', '=', space.subdomain).select('id').execute()
  spaceId = row[0]!.id
})

const db = () => sqlOf(quiet.service.core.orm)
const compress = (...rest: [mark?: Awaited<ReturnType<typeof compressFiles>>, now?: Date]) =>
  compressFiles(quiet.service.core.orm, spaceId, ...rest)
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(db())).rows

const upload = async (content: Buffer | string, name = 'a.css') => {
  const base64 = Buffer.from(content).toString('base64')
  const { status, body } = await space.api.post<{ id: string }>('/files', {
    name,
    content: base64,
    encoding: 'base64',
  })
  expect(status).toBe(201)
  return body.id
}
const change = (id: string, content: string) => space.api.patch(`/files/${id}`, { content, encoding: 'text' })

/** Restores a deleted file. */
const restore = async (id: string) => {
  const { subdomain, owner } = space
  const [deletion] = (await owner.history.list({ subdomain, thing: id })).changes
  await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
}

/** Returns how the database stores the bytes of each file. The keys of the map are the sizes in bytes. */
const stored = async () => {
  const { rows } = await sql<{ size: number; isCompressed: boolean; disk: number }>`
    select size, pg_column_compression(bytes) is not null as "isCompressed", pg_column_size(bytes) as disk
    from blobs where space_id = ${spaceId}`.execute(db())
  return new Map(rows.map(({ size, isCompressed, disk }) => [size, { isCompressed, disk }]))
}

describe('the bytes of a file', () => {
  it('are compressed when only the history still needs them', async () => {
    const id = await upload(TEXT)
    await compress()
    expect((await stored()).get(TEXT.length)).toEqual({ isCompressed: false, disk: TEXT.length })
    await change(id, 'x'.repeat(5_000))
    await compress()
    const found = await stored()
    expect(found.get(TEXT.length)).toMatchObject({ isCompressed: true })
    expect(found.get(TEXT.length)!.disk).toBeLessThan(TEXT.length / 10)
    expect(found.get(5_000)).toMatchObject({ isCompressed: false })
    expect(await faults()).toEqual([])
  })

  it('stay uncompressed while another file has the same bytes', async () => {
    const [first] = [await upload(TEXT), await upload(TEXT, 'b.css')]
    await space.api.delete(`/files/${first}`)
    await compress()
    expect((await stored()).get(TEXT.length)).toMatchObject({ isCompressed: false })
  })

  it('stay uncompressed if compression does not make them smaller, and compression is not tried again', async () => {
    await space.api.delete(`/files/${await upload(NOISE, 'a.bin')}`)
    await compress()
    expect(await stored()).toEqual(new Map([[NOISE.length, { isCompressed: false, disk: NOISE.length }]]))
    const { statements } = await recorded(() => compress())
    expect(statements.filter(({ text }) => text.includes('compressing'))).toEqual([])
    expect(await faults()).toEqual([])
  })

  it('stay uncompressed if they are damaged', async () => {
    await space.api.delete(`/files/${await upload(TEXT)}`)
    await sql`update blobs set bytes = ${Buffer.from(TEXT.replace('0', '1'))} where space_id = ${spaceId}`.execute(
      db(),
    )
    await compress()
    expect((await stored()).get(TEXT.length)).toMatchObject({ isCompressed: false })
    await sql`update blobs set bytes = ${Buffer.from(TEXT)} where space_id = ${spaceId}`.execute(db())
    await compress()
    expect((await stored()).get(TEXT.length)).toMatchObject({ isCompressed: true })
  })

  it('are shown in the history, and are served in full and in ranges after a restore', async () => {
    const text = TEXT.slice(0, 200_000)
    const id = await upload(text)
    await space.api.delete(`/files/${id}`)
    const mark = await compress()
    const { subdomain, owner } = space
    const [deletion] = (await owner.history.list({ subdomain, thing: id })).changes
    const { before } = await owner.history.get({ subdomain, change_id: deletion!.id })
    expect(before?.text === text).toBe(true)

    await restore(id)
    const read = (headers: Record<string, string> = {}) =>
      requestHost(quiet.service, `${id}.files.localhost`, '/', { headers })
    for (const isCompressed of [true, false]) {
      expect((await stored()).get(text.length)).toMatchObject({ isCompressed })
      expect((await read()).text === text).toBe(true)
      expect((await read({ range: 'bytes=190000-190017' })).text).toBe(text.slice(190_000, 190_018))
      await compress(mark)
    }
    expect(await faults()).toEqual([])
  })

  it('are decompressed when the same bytes are uploaded again', async () => {
    await space.api.delete(`/files/${await upload(TEXT)}`)
    await compress()
    await upload(TEXT)
    await compress()
    expect((await stored()).get(TEXT.length)).toEqual({ isCompressed: false, disk: TEXT.length })
  })

  it('are compressed a few megabytes at a time, until none are left', async () => {
    await sql`
      insert into blobs (space_id, digest, bytes, size)
      select ${spaceId}, sha256(bytes), bytes, length(bytes)
      from (select convert_to(repeat('text', 2250000) || n, 'UTF8') as bytes from generate_series(1, 5) as n) as given`.execute(
      db(),
    )
    expect(await compress()).toBeUndefined()
    expect(await compress()).toBeDefined()
    const { rows } = await sql`
      select pg_column_compression(bytes) is not null as is_compressed, count(*)::int as n
      from blobs where space_id = ${spaceId} group by 1`.execute(db())
    expect(rows).toEqual([{ is_compressed: true, n: 5 }])
    expect(await faults()).toEqual([])
  })
})

describe('a space whose files have not changed', () => {
  it('is checked again only after a day', async () => {
    const mark = await compress()
    await space.api.put('/data/a', { value: 1 })
    const statementsAfter = async (hours: number) => {
      const { statements } = await recorded(() => compress(mark, new Date(Date.now() + hours * HOUR)))
      return statements.filter(({ text }) => /\b(blobs|changes)\b/.test(text)).length
    }
    expect(await statementsAfter(23)).toBe(1)
    expect(await statementsAfter(25)).toBeGreaterThan(1)
    await upload(TEXT)
    expect(await statementsAfter(23)).toBeGreaterThan(1)
  })
})
