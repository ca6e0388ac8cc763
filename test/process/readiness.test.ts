import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, useTestService } from '../support/test-service.ts'

const readiness = async ({ root }: TestService) => {
  const response = await fetch(`${root}/readyz`)
  return { status: response.status, body: await response.json() }
}

// starting.test.ts covers the start of a service. test/faults/database.test.ts covers the status `no database`.
describe('/readyz', () => {
  const service = useTestService()

  test('returns 200 if the database has every migration', async () => {
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
  })

  test('returns 503 while the database lacks a migration', async () => {
    const db = service.core.database
    const { rows } = await sql<{ name: string }>`
      delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name`.execute(
      db,
    )
    expect(await readiness(service)).toEqual({ status: 503, body: { status: 'migrating' } })
    await sql`insert into mikro_orm_migrations (name) values (${rows[0]!.name})`.execute(db)
    expect(await readiness(service)).toMatchObject({ status: 200 })
  })
})

describe('while the disk has less free space than the configured minimum', () => {
  let folder: string
  let service: TestService

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-disk-'))
    service = await startTestService({
      databaseUrl: undefined,
      dataFolder: folder,
      minFreeDisk: Number.MAX_SAFE_INTEGER,
    })
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  test('/readyz returns 503 with the reason', async () => {
    const status = 'read-only: the disk is full'
    await expect.poll(() => readiness(service)).toEqual({ status: 503, body: { status, missing: ['disk'] } })
  })

  test('writes get a 503 with Retry-After, and reads work', async () => {
    const write = await fetch(`${service.root}/trpc/accounts.signUp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ handle: 'late', password: 'correct horse battery' }),
    })
    expect(write.status).toBe(503)
    expect(Number(write.headers.get('retry-after'))).toBeGreaterThan(0)
    const read = await fetch(`${service.root}/trpc/accounts.entry`)
    expect(read.status).toBe(200)
    expect((await fetch(`${service.root}/`)).status).toBe(200)
  })
})
