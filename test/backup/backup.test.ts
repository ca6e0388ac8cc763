import { appendFile, copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { knownMigrations } from '../../db/backup/apply-migrations.ts'
import { createBackup } from '../../db/backup/create.ts'
import type { Header, Progress } from '../../db/backup/format.ts'
import { readBackupFile } from '../../db/backup/read-file.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { type TableData, writeBackupFile } from '../../db/backup/write-file.ts'
import { OperatorError } from '../../db/operator-error.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { ask, describeDatabase, emptyDatabase, newFolder } from './support/databases.ts'

let databaseUrl: string
let service: TestService
let space: TestSpace
let secret: string
beforeAll(async () => {
  databaseUrl = await copyDatabase(inject('database'))
  service = await startTestService({ databaseUrl })
  space = await service.createSpace('kept')
  secret = await space.key('pages', 'data', 'files_write')
  await space.api.post('/pages', { slug: 'home', html: '{{ data.count }} \u{1F331}', kind: 'static' })
  await space.api.put('/data/count', { value: 0 })
  await space.api.put('/data/odd', { value: ['\0', '\u2028', '"', '\\', null, 1e300] })
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
  await space.api.post('/files', { name: 'a.bin', content: bytes.toString('base64'), encoding: 'base64' })
  await space.owner.posts.create({ html: '<p>post</p>', tags: ['one', 'two'] })
  return () => service.stop()
})

/** Backs up the test's database and returns the path of the backup file. */
const backedUp = async (): Promise<string> => {
  const file = path.join(await newFolder(), 'all.backup')
  await createBackup({ url: databaseUrl }, file)
  return file
}

const restore = async (url: string, file: string, replace = false) =>
  (await restoreBackup({ url }, file, { replace })).manifest

describe('a backup', () => {
  test('taken during writes is a consistent snapshot, and a database restored from it has the same checksums', async () => {
    const done = new AbortController()
    let writes = 0
    const isUnderWay = Promise.withResolvers<void>()
    const write = async () => {
      while (!done.signal.aborted) {
        await space.api.put('/data/count', { value: ++writes })
        await space.api.post('/files', { name: `${writes}.txt`, content: `${writes}`, encoding: 'text' })
        // Each transaction below writes the same value to both tables, so a consistent backup has equal rows in them.
        await ask(
          databaseUrl,
          `begin; set local session_replication_role = replica; update pages set html = '${writes}'; update accounts set bio = '${writes}'; commit`,
        )
        if (writes > 4) isUnderWay.resolve()
      }
    }
    const writers = Promise.all([write(), write()])
    await isUnderWay.promise
    const file = await backedUp()
    done.abort()
    await writers

    const copy = await emptyDatabase()
    const restored = await restore(copy, file)
    const again = await createBackup({ url: copy }, path.join(await newFolder(), 'again.backup'))
    expect(again.manifest.tables).toEqual(restored.tables)
    expect(again.manifest.sequences).toEqual(restored.sequences)
    const [state] = await ask(copy, 'select html, bio from pages, accounts')
    expect(state).toEqual({ html: expect.any(String), bio: (state as { html: string }).html })
  })

  test('restored to another database serves the same content', async () => {
    // Write the use of keys now, so that it does not change between the backup and the comparison.
    await service.core.lastUsed.flush()
    await service.core.usage.flush()
    const copy = await emptyDatabase()
    await restore(copy, await backedUp())
    expect(await describeDatabase(copy)).toEqual(await describeDatabase(databaseUrl))
    const other = await startTestService({ databaseUrl: copy })
    try {
      for (const read of ['/pages', '/data', '/files']) {
        const from = (one: TestService) => one.rest(secret).get(`/spaces/kept${read}`)
        expect((await from(other)).body).toEqual((await from(service)).body)
      }
      const upload = { name: 'new.txt', content: 'x', encoding: 'text' }
      expect((await other.rest(secret).post('/spaces/kept/files', upload)).status).toBe(201)
    } finally {
      await other.stop()
    }
  })

  test('is readable by its owner only, and no temporary file remains', async () => {
    const file = await backedUp()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)])
  })

  test('reports its phase and progress, even if the database compresses the data', async () => {
    await space.api.put('/data/long', { value: 'x'.repeat(65_000) })
    const seen: Progress[] = []
    const file = path.join(await newFolder(), 'all.backup')
    await createBackup({ url: databaseUrl }, file, { onProgress: one => seen.push(one) })
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(['writing', 'verifying'])
    for (const { done, total } of seen) expect(done).toBeLessThanOrEqual(total)
    const { writing, verifying } = Object.groupBy(seen, ({ phase }) => phase)
    for (const steps of [writing!, verifying!].map(list => list.map(({ done }) => done)))
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total)
  })

  test('does not overwrite a file', async () => {
    const file = await backedUp()
    const before = await readFile(file)
    await expect(createBackup({ url: databaseUrl }, file)).rejects.toThrow('exists already')
    expect(await readFile(file)).toEqual(before)
  })

  test('leaves no file if it is stopped', async () => {
    const folder = await newFolder()
    const stopping = new AbortController()
    const stopped = createBackup({ url: databaseUrl }, path.join(folder, 'all.backup'), {
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    })
    await expect(stopped).rejects.toThrow('aborted')
    expect(await readdir(folder)).toEqual([])
  })

  test('is refused for a database that the service has never used', async () => {
    const file = path.join(await newFolder(), 'all.backup')
    await expect(createBackup({ url: await emptyDatabase() }, file)).rejects.toThrow('The database is empty')
  })

  test('is refused if it would leave out a partitioned table', async () => {
    const partitioned = await copyDatabase(inject('database'))
    await ask(
      partitioned,
      `alter table drafts rename to all_drafts;
        create table drafts (like all_drafts) partition by list (space_id);
        alter table drafts attach partition all_drafts default`,
    )
    const folder = await newFolder()
    const file = path.join(folder, 'all.backup')
    await expect(createBackup({ url: partitioned }, file)).rejects.toThrow(
      'These tables are partitioned or missing: drafts.',
    )
    expect(await readdir(folder)).toEqual([])
  })

  test('of version 1.0.0 is restored and migrated', async () => {
    const copy = await emptyDatabase()
    await restore(copy, fileURLToPath(new URL('../process/version-1.0.0.backup', import.meta.url)))
    expect((await describeDatabase(copy)).columns).toEqual((await describeDatabase(databaseUrl)).columns)
    expect(await ask(copy, 'select slug from pages order by slug')).toEqual(
      ['bread', 'index', 'once'].map(slug => ({ slug })),
    )
    const applied = await ask<{ name: string }>(copy, 'select name from mikro_orm_migrations order by id')
    expect(applied.map(({ name }) => name)).toEqual(knownMigrations)
  })
})

describe('a restore', () => {
  /** Expects that restoring a file into an empty database fails and leaves it empty; returns the error message. */
  const refusal = async (file: string): Promise<string> => {
    const copy = await emptyDatabase()
    const error = await restore(copy, file).then(
      () => new Error('it was restored'),
      (error: unknown) => error as Error,
    )
    expect(error).toBeInstanceOf(OperatorError)
    expect((await describeDatabase(copy)).rows).toEqual({})
    return error.message
  }

  test('refuses a file with any damaged byte', async () => {
    const file = await backedUp()
    const good = await readFile(file)
    const positions = Array.from({ length: 40 }, (_, index) => Math.floor((good.length * index) / 40))
    for (const at of [...positions, good.length - 1]) {
      const bad = Buffer.from(good)
      bad[at]! ^= 0x10
      await writeFile(file, bad)
      const reading = readBackupFile(file)
      await expect(reading, `byte ${at}`).rejects.toThrow(OperatorError)
    }
    expect(await refusal(file)).toContain('Nothing was changed')
  })

  test('refuses a truncated file of any length', async () => {
    const file = await backedUp()
    const { size } = await stat(file)
    for (const length of [0, 5, 19, 20, 21, 92, 93, size >> 1, size - 72, size - 100, size - 5, size - 1]) {
      const part = path.join(path.dirname(file), `${length}.backup`)
      await copyFile(file, part)
      await truncate(part, length)
      await expect(readBackupFile(part), `${length} bytes`).rejects.toThrow(OperatorError)
    }
    await truncate(file, size - 1)
    expect(await refusal(file)).toContain('The backup is damaged')
  })

  test.each([
    ['a file with extra bytes at its end', (file: string) => appendFile(file, 'more'), 'damaged'],
    [
      'a file that is not a backup',
      (file: string) => writeFile(file, 'PGDMP'.repeat(50)),
      'is not a backup of Space Site',
    ],
    [
      'a file of a newer format',
      (file: string) => writeFile(file, 'space-site backup 2\nrest'),
      'has format 2; this version reads format 1',
    ],
    ['a folder', async (_file: string) => {}, "can't be read"],
  ])('refuses %s', async (what, spoil, message) => {
    const file = what === 'a folder' ? await newFolder() : await backedUp()
    await spoil(file)
    expect(await refusal(file)).toContain(message)
  })

  /** Writes a backup file with valid checksums but a modified header or modified data. */
  const forged = async (
    change: { migrations?: string[]; tables?: Header['tables']; dataOf?: (table: string) => TableData } = {},
  ): Promise<string> => {
    const file = path.join(await newFolder(), 'forged.backup')
    const original = await readBackupFile(await backedUp())
    const dataOf = async function* (): TableData {
      yield Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\xff\xff', 'latin1')
      return 0
    }
    const header = { ...original.header, ...change }
    const content = { header, dataOf: change.dataOf ?? dataOf, sequences: async () => [] }
    await writeBackupFile(file, content, async () => {}, new AbortController().signal)
    return file
  }

  test('refuses a backup from a newer version', async () => {
    const file = await forged({ migrations: [...knownMigrations, 'Migration29990101000000_later'] })
    expect(await refusal(file)).toContain('does not know the migration Migration29990101000000_later')
  })

  test('refuses a backup whose tables do not match its migration version', async () => {
    const file = await forged({ tables: [{ name: 'spaces', columns: ['id text'] }] })
    expect(await refusal(file)).toContain('do not match the migrations that the backup lists')
  })

  test('changes nothing when PostgreSQL rejects a row in the middle of the data', async () => {
    const target = await copyDatabase(inject('database'))
    await ask(
      target,
      `insert into spaces (id, subdomain, name, created_at) values ('s', 'mine', 'Mine', now())`,
    )
    const before = await describeDatabase(target)
    const file = await forged({
      dataOf: async function* (table) {
        yield Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
        yield Buffer.from(table === 'pages' ? '\0\x09nonsense' : '\xff\xff', 'latin1')
        return 0
      },
    })
    await expect(restore(target, file, true)).rejects.toThrow('row field count is 9')
    expect(await describeDatabase(target)).toEqual(before)
  })

  test('replaces the content of a database only if the caller allows it', async () => {
    const target = await copyDatabase(inject('database'))
    await ask(
      target,
      `insert into spaces (id, subdomain, name, created_at) values ('s', 'mine', 'Mine', now())`,
    )
    const file = await backedUp()
    await expect(restore(target, file)).rejects.toThrow('The database is not empty (spaces). Add --replace')
    expect(await ask(target, 'select subdomain from spaces')).toEqual([{ subdomain: 'mine' }])
    await restore(target, file, true)
    expect(await ask(target, 'select subdomain from spaces')).toEqual([{ subdomain: 'kept' }])
  })

  test('replaces a database that a newer version has migrated, only if the caller allows it', async () => {
    const target = await copyDatabase(inject('database'))
    await ask(
      target,
      `alter table pages add "next_text" text null;
      create table "next_things" ("id" text primary key, "space_id" text references "spaces");
      create table "next_parts" ("id" text references "next_things");
      create table "next_alone" ("id" text);
      insert into mikro_orm_migrations (name) values ('Migration99990101000000_next')`,
    )
    const file = await backedUp()
    await expect(restore(target, file)).rejects.toThrow('belongs to a newer version of Space Site')
    const { left } = await restoreBackup({ url: target }, file, { replace: true })
    // Nothing tells whether this table is of the newer version or of another program.
    expect(left).toEqual(['next_alone'])
    await ask(target, 'drop table next_alone')
    expect(await describeDatabase(target)).toEqual(await describeDatabase(databaseUrl))
    expect(await ask(target, 'select name from mikro_orm_migrations order by id')).toEqual(
      knownMigrations.map(name => ({ name })),
    )
  })

  test('never touches tables of another program', async () => {
    const target = await emptyDatabase()
    await ask(target, 'create table accounts (id int)')
    await expect(restore(target, await backedUp(), true)).rejects.toThrow(
      'tables of another program (accounts)',
    )
    await ask(target, 'alter table accounts rename to theirs; insert into theirs values (1)')
    await restore(target, await backedUp())
    expect(await ask(target, 'select id from theirs')).toEqual([{ id: 1 }])
  })

  test('refuses a database that is in use', async () => {
    await expect(restore(databaseUrl, await backedUp(), true)).rejects.toThrow('The database is in use')
  })
})
