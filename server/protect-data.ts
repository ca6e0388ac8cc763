import type { Logger } from 'pino'
import type { OnStop } from './closing.ts'
import { type DiskWatch, watchDisk } from './disk-watch.ts'
import { type ScheduledBackups, scheduleBackups } from './scheduled-backups.ts'
import type { Settings } from './settings.ts'

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
