import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { collectObjects } from '../../db/file-store/collect.ts'
import { moveFiles } from '../../db/file-store/move.ts'
import { runIn } from '../support/cluster.ts'
import { copyDatabase } from '../support/database.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { run } from '../support/program.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService, type TestSpace, uniqueName } from '../support/test-service.ts'
import { fileStoreAt, S3_KEY, type S3Server, startS3Server } from './support/s3-server.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server?.remove())

/**
 * Starts a service with its own database and its own prefix in the bucket, and creates six files, one of them with
 * earlier versions.
 */
const start = async ({ inStore = false } = {}) => {
  const prefix = uniqueName('moved')
  const databaseUrl = await copyDatabase(inject('database'))
  const settings = { databaseUrl, ...fileStoreAt(server.port, { prefix, takesNew: inStore }) }
  const service = await startTestService(settings)
  onTestFinished(() => service.stop())
  const space = await service.createSpace()
  const texts = new Map<string, string>()
  for (let n = 0; n < 6; n++) await put(space, texts, textOf(n === 0 ? 3_000_000 : 10_000))
  const [id] = texts.keys()
  await space.api.patch(`/files/${id}`, { content: textOf(5_000), encoding: 'text' })
  await space.api.patch(`/files/${id}`, { content: texts.get(id!), encoding: 'text' })
  const environment = {
    DATABASE_URL: databaseUrl,
    FILE_STORE_URL: settings.fileStore.url,
    FILE_STORE_KEY_ID: S3_KEY.accessKeyId,
    FILE_STORE_SECRET: S3_KEY.secretAccessKey,
  }
  return { service, space, texts, prefix, databaseUrl, environment }
}

const textOf = (size: number) => crypto.randomUUID().padEnd(size, 'abcdefgh')
const put = async (space: TestSpace, texts: Map<string, string>, content: string) => {
  const file = { name: 'a.txt', content, encoding: 'text' }
  const { status, body } = await space.api.post<{ id: string }>('/files', file)
  expect(status).toBe(201)
  texts.set(body.id, content)
}
const read = async (service: TestService, id: string) =>
  (await requestHost(service, `${id}.files.localhost`)).text
const expectAll = async (service: TestService, texts: Map<string, string>) => {
  for (const [id, text] of texts) expect((await read(service, id)) === text).toBe(true)
}
const places = async ({ core }: TestService) => {
  const { rows } = await sql<{ database: number; store: number }>`
    select count(bytes)::int as database, count(object)::int as store from blobs`.execute(core.database)
  return rows[0]!
}
const expectNoFaults = async ({ core }: TestService) =>
  expect((await sql.raw(HISTORY_FAULTS).execute(core.database)).rows).toEqual([])

/** Runs a command to its end. Returns its exit code and the messages of its log. */
const command = async (name: string, environment: Record<string, string>, ...args: string[]) => {
  const program = run('server/main.mjs', environment, [name, ...args])
  const code = await program.end()
  const lines = program.log().trim().split('\n')
  return { code, messages: lines.map(line => (JSON.parse(line) as { msg: string }).msg) }
}

describe('the command files-move', () => {
  test('moves all bytes to the store and back while they are read and written', async () => {
    const { service, space, texts, prefix, databaseUrl, environment } = await start()
    for (const place of ['store', 'database'] as const) {
      const before = await places(service)
      const moving = command('files-move', environment, place)
      const isOver = () => Promise.race([moving.then(() => true), sleep(1, false)])
      while (!(await isOver())) {
        await put(space, texts, textOf(1_000))
        const [id] = texts.keys()
        expect(await read(service, id!)).toBe(texts.get(id!))
        const last = [...texts.keys()].at(-1)!
        await space.api.delete(`/files/${last}`)
        texts.delete(last)
      }
      const { code, messages } = await moving
      expect([code, messages.at(-1)]).toEqual([0, expect.stringContaining('Moved to the')])
      const after = await places(service)
      expect(after[place]).toBeGreaterThanOrEqual(before[place === 'store' ? 'database' : 'store'])
      await expectAll(service, texts)
      await expectNoFaults(service)
    }
    const { database, fileStore } = service.core
    expect((await server.objects(`${prefix}/`)).length).toBeGreaterThan(0)
    await collectObjects(database, fileStore!, 7, new Date(Date.now() + 8 * 24 * 60 * 60_000))
    expect(await server.objects(`${prefix}/`)).toEqual([])
    const without = await startTestService({ databaseUrl })
    onTestFinished(() => without.stop())
    await expectAll(without, texts)
  })

  test('continues after it was stopped or killed', async () => {
    const { service, texts, environment } = await start()
    const { database, fileStore } = service.core
    const stopping = new AbortController()
    const options = { signal: stopping.signal, onProgress: () => stopping.abort() }
    const { count } = await moveFiles(database, fileStore!, 'store', options)
    expect(count).toBeGreaterThan(0)
    expect((await places(service)).database).toBeGreaterThan(0)
    await expectAll(service, texts)

    // The lock of the space keeps the command from ending before it is killed.
    const { rows } = await sql<{ id: string }>`select id from spaces`.execute(database)
    const killed = run('server/main.mjs', environment, ['files-move', 'store'])
    await database.orm.em
      .getKysely()
      .transaction()
      .execute(async transaction => {
        await sql`select from spaces where id = ${rows[0]!.id} for update`.execute(transaction)
        const isStaged = () => sql`select from unused_objects where state = 'staged'`.execute(database)
        await expect.poll(async () => (await isStaged()).rows.length).toBeGreaterThan(0)
        await killed.end('SIGKILL')
      })
    await expectAll(service, texts)
    expect((await command('files-move', environment, 'store')).code).toBe(0)
    expect((await places(service)).database).toBe(0)
    await expectAll(service, texts)
  })

  test('reports bytes that are damaged or missing, and leaves them where they are', async () => {
    const { service, texts, environment } = await start()
    const db = service.core.database
    await sql`update blobs set bytes = 'broken' where size = 3000000`.execute(db)
    const moved = await command('files-move', environment, 'store')
    expect(moved).toEqual({
      code: 1,
      messages: expect.arrayContaining([expect.stringMatching(/6 files .* 1 are not:\ndamaged: space/)]),
    })
    expect((await places(service)).database).toBe(1)

    const { rows } = await sql<{ name: string }>`
      select space_id || '/' || encode(digest, 'hex') || '/' || object as name from blobs
      where object is not null order by space_id, digest`.execute(db)
    const prefix = environment.FILE_STORE_URL.split('/').at(-1)!
    await server.overwrite(`${prefix}/${rows[0]!.name}`, 'x')
    await server.delete(`${prefix}/${rows[1]!.name}`)
    const faults = expect.stringMatching(/4 files .* 2 are not:(?=.*\ndamaged: )(?=.*\nmissing: )/s)
    const checked = await command('files-check', environment)
    expect([checked.code, checked.messages.at(-1)]).toEqual([1, faults])
    const back = await command('files-move', environment, 'database')
    expect([back.code, back.messages.at(-1)]).toEqual([1, faults])
    expect((await places(service)).store).toBe(2)
    expect(texts.size).toBe(6)
  })

  test('leaves the bytes of earlier icons in the database', async () => {
    const { service, space, environment } = await start()
    for (const background of ['red', 'blue']) {
      const png = await testPng({ width: 256, height: 256, background })
      await space.owner.spaces.setIcon({ subdomain: space.subdomain, png })
    }
    expect((await command('files-move', environment, 'store')).code).toBe(0)
    expect(await places(service)).toEqual({ database: 1, store: 7 })
    const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
    const { subdomain } = space
    await space.owner.history.restore({ subdomain, change_id: changes[0]!.id, side: 'before' })
    await expectNoFaults(service)
  })

  test('says what to do if there is no file store or the argument is wrong', async () => {
    const { environment } = await start()
    const { DATABASE_URL } = environment
    const without = await command('files-move', { DATABASE_URL }, 'store')
    expect(without).toEqual({ code: 1, messages: ['Set FILE_STORE_URL to the file store.'] })
    const wrong = run('server/main.mjs', environment, ['files-move', 'elsewhere'])
    expect(await wrong.end()).toBe(1)
    expect(wrong.log()).toContain('Usage: ./space-site files-move store')
  })
})

describe('a database whose files are in a store', () => {
  test('is not served without the store', async () => {
    const { databaseUrl } = await start({ inStore: true })
    await expect(startTestService({ databaseUrl })).rejects.toThrow('Set FILE_STORE_URL')
  })

  test('is backed up without the bytes, and restored only if a store is configured', async () => {
    const { texts, databaseUrl, environment } = await start({ inStore: true })
    const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-backup-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'all.backup')
    const backedUp = await command('backup', environment, file)
    expect(backedUp.code).toBe(0)
    expect(backedUp.messages.join('\n')).toContain('does not contain the bytes of files in the file store')

    const name = `restored_${crypto.randomUUID().replaceAll('-', '')}`
    await runIn(databaseUrl, `create database ${name}`)
    const DATABASE_URL = databaseUrl.replace(/\/test_[0-9a-f]+/, `/${name}`)
    const refused = await command('restore', { DATABASE_URL }, file)
    expect([refused.code, refused.messages.at(-1)]).toEqual([
      1,
      expect.stringContaining('The bytes of 7 files are not in this backup'),
    ])
    const restored = await command('restore', { ...environment, DATABASE_URL }, file)
    expect([restored.code, restored.messages.at(-1)]).toEqual([
      0,
      expect.stringContaining('./space-site files-check'),
    ])
    const checked = await command('files-check', { ...environment, DATABASE_URL })
    expect([checked.code, checked.messages.at(-1)]).toEqual([0, expect.stringContaining('7 files')])
    const { fileStore } = fileStoreAt(server.port, { prefix: environment.FILE_STORE_URL.split('/').at(-1)! })
    const again = await startTestService({ databaseUrl: DATABASE_URL, fileStore })
    onTestFinished(() => again.stop())
    await expectAll(again, texts)
  })
})
