import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { OnStop } from '../lifecycle.ts'
import type { Settings } from '../settings/settings.ts'
import { type ScheduledBackups, scheduleBackups } from './scheduled-backups.ts'

/**
 * Milliseconds between two checks. With a longer time, writes could fill the disk before the next check. A full disk
 * stops PostgreSQL.
 */
const INTERVAL = 1_000

/** Free space on the disk that holds the data. */
export interface DiskWatch {
  readonly hasSpace: boolean
  /** Free bytes; undefined before the first check, or if the disk cannot be read. */
  readonly free: number | undefined
  stop(): void
}

/**
 * Watches the free space of a disk.
 *
 * @param folder any folder on the disk
 * @param floor writes are refused below this many free bytes
 * @param onChange called when the disk becomes too full, and when it has space again
 */
export const watchDisk = (
  folder: string,
  floor: number,
  onChange: (hasSpace: boolean, free: number) => void,
): DiskWatch => {
  let free: number | undefined
  let hasSpace = true
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Number.NaN, bsize: 1 }))
      free = Number.isNaN(bavail) ? undefined : bavail * bsize
      if (free !== undefined && free >= floor !== hasSpace) {
        hasSpace = !hasSpace
        onChange(hasSpace, free)
      }
      await sleep(INTERVAL, undefined, { ref: false })
    }
  }
  void run()
  return {
    get hasSpace() {
      return hasSpace
    },
    get free() {
      return free
    },
    stop: () => stopping.abort(),
  }
}

/**
 * Watches the disk of the embedded database, and backs the database up. Does neither for a database at `DATABASE_URL`,
 * which may be on a disk that this process cannot see.
 */
export const protectData = (
  { databaseUrl, dataFolder, minFreeDisk, backups: schedule }: Settings,
  log: Logger,
  onStop: OnStop,
): { disk?: DiskWatch; backups?: ScheduledBackups | undefined } => {
  if (databaseUrl) return {}
  const disk = watchDisk(dataFolder, minFreeDisk, (hasSpace, free) =>
    log[hasSpace ? 'info' : 'error'](
      { free },
      hasSpace ? 'The disk has space again' : 'The disk is almost full; writes are refused',
    ),
  )
  onStop(() => disk.stop())
  if (schedule.everyHours === 0) return { disk }
  const backups = scheduleBackups({ ...schedule, dataFolder, minFreeDisk, log })
  onStop(() => backups.stop())
  return { disk, backups }
}
