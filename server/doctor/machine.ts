import { access, readdir, stat, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readBackupFile } from '../../db/backup/read-file.ts'
import { isBackupName } from '../database/scheduled-backups.ts'
import type { Settings } from '../settings/settings.ts'
import { domainWarnings, openFilesLimit, startFaults, startWarnings } from '../settings/start-checks.ts'
import { type Finding, fault, good, messageOf, warning } from './finding.ts'

const MIB = 1_048_576
const HOUR = 3_600_000

/** Checks the settings as the start of the service does. */
export const checkSettings = async (
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<Finding[]> => {
  const limit = openFilesLimit()
  const faults = await startFaults(settings, environment, limit)
  const warnings = [...startWarnings(settings, limit), ...(await domainWarnings(settings))]
  const findings = [
    ...faults.map(text => fault('settings', text, 'After a change, restart the service.')),
    ...warnings.map(text => warning('settings', text, 'After a change, restart the service.')),
  ]
  return findings.length > 0 ? findings : [good('settings', 'They are valid.')]
}

/** Checks the free space of the disks that the service writes to. */
export const checkDisks = async (settings: Settings): Promise<Finding[]> => {
  const folders = new Map([['temporary files', os.tmpdir()]])
  if (settings.databaseUrl === undefined) {
    folders.set('data', settings.dataFolder)
    if (settings.backups.everyHours > 0) folders.set('backups', settings.backups.folder)
  }
  return Promise.all([...folders].map(([use, folder]) => checkDisk(use, folder, settings.minFreeDisk)))
}

const checkDisk = async (use: string, folder: string, least: number): Promise<Finding> => {
  const check = `disk for ${use}`
  try {
    const { bavail, bsize } = await statfs(await existing(folder))
    const free = bavail * bsize
    const found = `${folder} has ${Math.floor(free / MIB)} MiB free.`
    if (free < least)
      return fault(
        check,
        found,
        `Free space: below ${least / MIB} MiB (MIN_FREE_DISK_MIB), writes are refused.`,
      )
    return free < 4 * least
      ? warning(check, found, 'Free space soon, or use a larger disk.')
      : good(check, found)
  } catch (error) {
    return fault(check, `${folder} cannot be read: ${messageOf(error)}`, 'Correct its owner and rights.')
  }
}

/** A folder, or the nearest one above it that exists: the service creates its folders. */
const existing = async (folder: string): Promise<string> => {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return isThere || folder === path.dirname(folder) ? folder : existing(path.dirname(folder))
}

/** The file of the newest scheduled backup; undefined if there is none. */
export const newestBackup = async ({ backups }: Settings): Promise<string | undefined> => {
  const names = await readdir(backups.folder).catch(() => [])
  const newest = names.filter(isBackupName).sort().at(-1)
  return newest && path.join(backups.folder, newest)
}

/** Checks that there is a recent backup of the embedded database, that it is intact, and that it is on another disk. */
export const checkBackups = async (settings: Settings): Promise<Finding[]> => {
  const { databaseUrl, dataFolder, backups } = settings
  const check = 'backups'
  if (databaseUrl !== undefined)
    return [
      warning(check, 'The service does not back up your own PostgreSQL server.', 'Make sure that you do.'),
    ]
  if (backups.everyHours === 0)
    return [warning(check, 'There are no scheduled backups, because BACKUP_HOURS is 0.', 'Set BACKUP_HOURS.')]
  const file = await newestBackup(settings)
  if (file === undefined)
    return [
      warning(
        check,
        `There is none in ${backups.folder}.`,
        'The first one is made ten minutes after the start. Or run ./space-site backup FILE.',
      ),
    ]
  const findings: Finding[] = []
  const { mtimeMs, dev } = await stat(file)
  const hours = Math.floor((Date.now() - mtimeMs) / HOUR)
  const found = `The newest, ${file}, is ${hours} hours old.`
  findings.push(
    hours > 2 * backups.everyHours
      ? fault(check, found, 'Look for "The scheduled backup failed" in the log of the service.')
      : good(check, found),
  )
  try {
    const { manifest } = await readBackupFile(file)
    findings.push(good(check, `The newest is intact: ${manifest.tables.length} tables.`))
  } catch (error) {
    findings.push(
      fault(
        check,
        `The newest is damaged: ${messageOf(error)}`,
        'Check the disk; run ./space-site backup FILE.',
      ),
    )
  }
  const data = await stat(dataFolder).catch(() => undefined)
  if (data?.dev === dev)
    findings.push(
      warning(
        check,
        'They are on the disk of the database.',
        'Set BACKUP_DIR to another disk, or copy them away.',
      ),
    )
  return findings
}
