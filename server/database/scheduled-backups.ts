import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const PROGRAM = fileURLToPath(new URL('../main.mjs', import.meta.url))

/**
 * Time in ms from startup to the first check, so that a service that restarts repeatedly is not slowed down by backups.
 */
const FIRST_CHECK = 10 * 60_000

/** Time in ms between two checks of whether a backup is due. */
const INTERVAL = 60_000

/** Time in ms from a failure to the next attempt. */
const RETRY = 60 * 60_000

/** Nice value of the process that writes backups. */
const NICE = 10

/** Matches the names of scheduled backups, which sort by age because they contain the time. */
const NAME = /^space-site-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.backup(\.\d+\.unfinished)?$/

/** Whether a file is a complete scheduled backup. */
export const isBackupName = (name: string): boolean => NAME.test(name) && !name.endsWith('.unfinished')

/** When and where to write backups. */
export interface BackupSchedule {
  folder: string
  /** Hours between two backups; 0 for none. */
  everyHours: number
  /** Number of backups to keep. */
  keep: number
}

interface Options extends BackupSchedule {
  /** Data folder of the embedded database. */
  dataFolder: string
  /** Bytes that must stay free on the disk. */
  minFreeDisk: number
  log: Logger
  /** Time in ms before the first check. */
  delay?: number
}

/** The state of the scheduled backups, for metrics. */
export interface ScheduledBackups {
  /** When the newest backup was written; undefined if there is none. */
  readonly newest: Date | undefined
  /** Failed attempts since startup. */
  readonly failures: number
  stop(): void
}

/**
 * Backs up the embedded database regularly and deletes old backups. A separate process with a low priority writes and
 * verifies each backup, so that requests don't wait. If several processes serve requests, only the first one schedules
 * backups.
 */
export const scheduleBackups = (options: Options): ScheduledBackups => {
  const { folder, everyHours, keep, log, delay = FIRST_CHECK } = options
  const stopping = new AbortController()
  let newest: Date | undefined
  let failures = 0

  const run = async () => {
    await pause(delay, stopping.signal)
    while (!stopping.signal.aborted) {
      try {
        const backups = await listBackups(folder)
        newest = backups.at(-1)?.at
        if (!newest || Date.now() - newest.getTime() >= everyHours * 3_600_000) {
          const file = await writeBackup(options, backups.at(-1)?.size ?? 0, stopping.signal)
          newest = new Date()
          for (const { name } of (await listBackups(folder)).slice(0, -keep))
            await rm(path.join(folder, name))
          log.info({ file }, 'Backed up the database')
        }
        await pause(INTERVAL, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        failures += 1
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason, failures }, 'The scheduled backup failed')
        await pause(RETRY, stopping.signal)
      }
    }
  }
  void run()
  return {
    get newest() {
      return newest
    },
    get failures() {
      return failures
    },
    stop: () => stopping.abort(),
  }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { ref: false, signal }).catch(() => {})

/** Lists the scheduled backups, oldest first. Deletes unfinished ones that a killed process has left behind. */
const listBackups = async (folder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const backups: { name: string; at: Date; size: number }[] = []
  for (const name of (await readdir(folder)).toSorted()) {
    const match = NAME.exec(name)
    if (!match) continue
    const file = path.join(folder, name)
    if (match[1]) {
      await rm(file, { force: true })
      continue
    }
    const { mtime, size } = await stat(file)
    backups.push({ name, at: mtime, size })
  }
  return backups
}

/** Writes a backup in a separate process and returns the path of the file. */
const writeBackup = async (
  { folder, dataFolder, minFreeDisk }: Options,
  expectedSize: number,
  signal: AbortSignal,
): Promise<string> => {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < minFreeDisk + expectedSize)
    throw new Error(`The disk of ${folder} has too little space.`)
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const file = path.join(folder, `space-site-${time}.backup`)
  const child = spawn(process.execPath, [PROGRAM, 'backup', file], {
    env: { DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
  })
  if (child.pid !== undefined) os.setPriority(child.pid, NICE)
  let lastLine = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastLine = text.trim().split('\n').at(-1) ?? lastLine
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(messageOf(lastLine) ?? `The backup ended with code ${code}.`)
  return file
}

/** Returns the message in a line of the log. */
const messageOf = (line: string): string | undefined => {
  try {
    return (JSON.parse(line) as { msg?: string }).msg
  } catch {
    return line === '' ? undefined : line
  }
}
