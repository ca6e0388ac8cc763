import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { isListening } from './socket.ts'

/** How long to wait for a server to exit, in ms: longer if it is already shutting down. */
const TIMEOUT = { stopping: 10_000, running: 3_000 }

/** The state that a server writes to `postmaster.pid` in its data folder. */
export interface PidFile {
  pid: number
  /** Such as `starting`, `ready` or `stopping`. */
  status: string
  /** The folder of the server's socket; `.` means the data folder. */
  socketFolder: string
}

/** Reads `postmaster.pid`; undefined if the file does not exist. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const lines = await readFile(pidFile(data), 'utf8').then(
    text => text.split('\n'),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    },
  )
  return (
    lines && {
      pid: Number(lines[0]),
      status: lines[7]?.trim() ?? '',
      socketFolder: lines[4]?.trim() || '.',
    }
  )
}

/**
 * Waits until no server uses the data folder. If an earlier run of this program crashed, the server of that run may
 * still be shutting down.
 *
 * Then removes the pid file that a crashed server left behind. PostgreSQL would not start if another program now has
 * the pid in that file.
 * @param host the folder of the socket
 * @throws EmbeddedPostgresError when a server keeps using the data
 */
export async function waitForPreviousServer(data: string, host: string): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    const file = await readPidFile(data)
    const known = file !== undefined && (await serves(file.pid, data))
    // A server in another container is not visible as a process. If its folder is shared with this container, its
    // socket in that folder accepts connections.
    if (!known && !(await isListening(host))) {
      if (file) await removeStale(data, file)
      return
    }
    const stopping = file?.status === 'stopping'
    if (waited >= (stopping ? TIMEOUT.stopping : TIMEOUT.running))
      throw inUse(data, file?.pid, known, stopping)
    await sleep(50)
  }
}

function inUse(
  data: string,
  pid: number | undefined,
  known: boolean,
  stopping: boolean,
): EmbeddedPostgresError {
  const folder = path.dirname(data)
  const who = known ? `process ${pid}` : `process ${pid ?? 'unknown'} of another container`
  return new EmbeddedPostgresError(
    stopping
      ? `The previous database server (${who}) is still shutting down in ${folder}: try again in a moment.`
      : `The database in ${folder} is in use by a running server (${who}): stop it, or choose another data folder.`,
  )
}

/** Whether a process is a server of this data folder: its command line contains the path. */
async function serves(pid: number, data: string): Promise<boolean> {
  return `${await commandLine(pid)} `.includes(`${data} `)
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  }
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return ps.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
}

async function removeStale(data: string, stale: PidFile) {
  // Do not remove a file with a negative pid: a single-user server wrote that file, and PostgreSQL handles such files
  // itself.
  const now = await readPidFile(data)
  if (stale.pid > 0 && now?.pid === stale.pid) await rm(pidFile(data), { force: true })
}

function pidFile(data: string): string {
  return path.join(data, 'postmaster.pid')
}
