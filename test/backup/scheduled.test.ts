import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createBackup } from '../../db/backup/create.ts'
import { readBackupFile } from '../../db/backup/read-file.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { ensureDatabase } from '../../db/embedded/postgres.ts'
import { scheduleBackups } from '../../server/database/scheduled-backups.ts'
import { startTestServer } from '../embedded/folders.ts'
import { copyDatabase } from '../support/database.ts'
import { newFolder } from './support/databases.ts'

/** Generous, because the process that writes backups has a low priority. */
const WAIT = { timeout: 240_000, interval: 50 }

/** Writes an empty file that is more than a day old, so that a daily backup is due. */
const writeOldFile = async (file: string) => {
  await writeFile(file, '')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await utimes(file, yesterday, yesterday)
}

const schedule = (folder: string, dataFolder: string) => {
  const log: { msg: string; reason?: string }[] = []
  const backups = scheduleBackups({
    folder,
    dataFolder,
    everyHours: 24,
    keep: 2,
    minFreeDisk: 0,
    delay: 0,
    log: pino({ level: 'info' }, { write: line => void log.push(JSON.parse(line) as { msg: string }) }),
  })
  onTestFinished(() => backups.stop())
  return { backups, log }
}

test('a due backup is written and verified, and old backups are deleted', { timeout: 300_000 }, async () => {
  const dataFolder = await newFolder()
  const server = await startTestServer({ folder: dataFolder })
  await ensureDatabase(server, 'space_site')
  const empty = path.join(await newFolder(), 'empty.backup')
  await createBackup({ url: await copyDatabase(inject('database')) }, empty)
  await restoreBackup({ ...server.connection, database: 'space_site' }, empty, { replace: false })

  const folder = path.join(dataFolder, 'backups')
  await mkdir(folder)
  const old = ['space-site-2026-01-01T00-00-00.backup', 'space-site-2026-01-02T00-00-00.backup']
  const others = ['mine.backup', 'notes.txt']
  const unfinished = 'space-site-2026-01-02T00-00-00.backup.12.unfinished'
  for (const name of [...old, ...others, unfinished]) await writeOldFile(path.join(folder, name))
  const { backups, log } = schedule(folder, dataFolder)
  await vi.waitFor(() => expect(log.map(({ msg }) => msg)).toContain('Backed up the database'), WAIT)

  const names = await readdir(folder)
  const written = names.find(name => ![...old, ...others].includes(name))
  expect(new Set(names)).toEqual(new Set([...others, old[1], written]))
  expect((await readBackupFile(path.join(folder, written!))).manifest.tables.length).toBeGreaterThan(10)
  expect((await stat(path.join(folder, written!))).mode & 0o777).toBe(0o600)
  expect(backups).toMatchObject({ failures: 0, newest: expect.any(Date) })

  const again = schedule(folder, dataFolder)
  await vi.waitFor(() => expect(again.backups.newest).toBeInstanceOf(Date), WAIT)
  expect(await readdir(folder)).toEqual(names)
})

test('a failed backup is logged with its reason and counted, and no old backup is deleted', async () => {
  const folder = await newFolder()
  const kept = ['space-site-2026-01-01T00-00-00.backup', 'space-site-2026-01-02T00-00-00.backup']
  for (const name of kept) await writeOldFile(path.join(folder, name))
  const { backups, log } = schedule(folder, path.join(folder, 'none'))
  await vi.waitFor(() => expect(backups.failures).toBe(1), WAIT)
  expect(log).toMatchObject([
    { msg: 'The scheduled backup failed', reason: expect.stringContaining('There is no database in') },
  ])
  expect(await readdir(folder)).toEqual(kept)
})
