import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { answers } from './socket.ts'

/** Milliseconds that a server may take to go: one that is shutting down, and one that doesn't look like it. */
const patience = { stopping: 10_000, running: 3_000 }

/** What the server says about itself in the file `postmaster.pid` of its data folder. */
export interface PidFile {
  pid: number
  /** starting, ready, stopping … */
  status: string
  /** Where its socket is; `.` in the data folder itself. */
  socketFolder: string
}

/** Reads that file; `undefined` when there is none. */
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
 * Waits until no server uses the data any more: after a crash of this program the one before may still be
 * shutting down. Clears away a pid file whose number belongs to another program by now, because PostgreSQL
 * would respect it for ever.
 * @param host the folder of the socket
 * @throws EmbeddedPostgresError when a server goes on using them
 */
export async function waitForPredecessor(data: string, host: string): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    const file = await readPidFile(data)
    const known = file !== undefined && (await serves(file.pid, data))
    // A container doesn't see the processes of another one, but a socket in a folder that they share answers.
    if (!known && !(await answers(host))) {
      if (file) await removeStale(data, file)
      return
    }
    const stopping = file?.status === 'stopping'
    if (waited >= (stopping ? patience.stopping : patience.running))
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
      ? `The database server before this one (${who}) is still shutting down in ${folder}: try again in a moment.`
      : `The database in ${folder} is in use by a running server (${who}): stop that one, or choose another data folder.`,
  )
}

/** Whether a process is a server of these data: its command line names the folder. A dead one has none. */
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

async function removeStale(data: string, judged: PidFile) {
  // A negative number is a single-user server, which PostgreSQL knows how to judge.
  const now = await readPidFile(data)
  if (judged.pid > 0 && now?.pid === judged.pid) await rm(pidFile(data), { force: true })
}

function pidFile(data: string): string {
  return path.join(data, 'postmaster.pid')
}
