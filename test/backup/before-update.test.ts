import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Migration } from '@mikro-orm/migrations'
import { pino } from 'pino'
import { afterEach, expect, inject, test } from 'vitest'
import { readBackupFile } from '../../db/backup/read-file.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { Database } from '../../db/database.ts'
import { migrations } from '../../db/migrations.ts'
import { migrateSafely } from '../../server/database/migrate-safely.ts'
import { copyDatabase } from '../support/database.ts'
import { ask, emptyDatabase, newFolder } from './support/databases.ts'

const known = migrations.length
const NEXT = 'Migration99990101000000_next'

/** Adds a migration, as the next version would. */
const addMigration = (statement: string) =>
  migrations.push(
    class extends Migration {
      override name = NEXT
      override up() {
        this.addSql(statement)
      }
    },
  )
const goBack = () => void migrations.splice(known)
afterEach(goBack)

/** Migrates a database, as the start of the service does. Returns the messages of the log. */
const start = async (url: string, folder: string, { everyHours = 24, databaseUrl = '' } = {}) => {
  const messages: string[] = []
  const log = pino({}, { write: line => void messages.push((JSON.parse(line) as { msg: string }).msg) })
  const settings = { databaseUrl: databaseUrl || undefined, backups: { folder, everyHours, keep: 7 } }
  const database = await Database.open({ url })
  try {
    await migrateSafely(database, settings, log)
  } finally {
    await database.close()
  }
  return messages
}

const tables = (url: string) =>
  ask<{ name: string }>(url, `select tablename as name from pg_tables where tablename = 'next_things'`)

test('an update backs up the embedded database first, and says how to go back', async () => {
  const url = await copyDatabase(inject('database'))
  const folder = path.join(await newFolder(), 'backups')
  addMigration('create table next_things (id text)')
  const messages = await start(url, folder)
  expect(await tables(url)).toHaveLength(1)
  const [name, ...others] = await readdir(folder)
  expect([name, others]).toEqual([expect.stringMatching(/^before-update-[\dT-]+Z\.backup$/), []])
  const file = path.join(folder, name!)
  expect(messages.at(-1)).toContain(`./space-site restore ${file} --replace`)
  expect((await readBackupFile(file)).header.migrations).not.toContain(NEXT)
  goBack()
  await restoreBackup({ url }, file, { replace: true, hasFileStore: false })
  expect(await start(url, folder)).toEqual([])
})

test('an update that fails again and again keeps one backup', async () => {
  const url = await copyDatabase(inject('database'))
  const folder = await newFolder()
  const scheduled = 'space-site-2026-01-01T00-00-00.backup'
  for (const name of [scheduled, 'before-update-2026-01-01T00-00-00.backup'])
    await writeFile(path.join(folder, name), '')
  addMigration('create table spaces (id text)')
  await expect(start(url, folder)).rejects.toThrow('already exists')
  const [newest, ...others] = (await readdir(folder)).filter(name => name !== scheduled)
  expect(newest).toMatch(/^before-update-(?!2026-01-01)/)
  expect(others).toEqual([])
  expect(await readdir(folder)).toContain(scheduled)
})

test('an update that cannot back up the database changes nothing, and says what to do', async () => {
  const url = await copyDatabase(inject('database'))
  const file = path.join(await newFolder(), 'file')
  await writeFile(file, '')
  addMigration('create table next_things (id text)')
  await expect(start(url, file)).rejects.toThrow(/cannot be backed up.*BACKUP_HOURS=0/)
  expect(await tables(url)).toEqual([])
  await start(url, file, { everyHours: 0 })
  expect(await tables(url)).toHaveLength(1)
})

test.each([
  ['a new database', emptyDatabase, {}],
  ['a database that this version has used', () => copyDatabase(inject('database')), {}],
  ['a server of the operator’s own', () => copyDatabase(inject('database')), { databaseUrl: 'set' }],
])('the start with %s writes no backup', async (_, database, options) => {
  if ('databaseUrl' in options) addMigration('create table next_things (id text)')
  const folder = path.join(await newFolder(), 'backups')
  await start(await database(), folder, options)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})
