import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, residentMiB } from '../../liquid/process-info.ts'

/** How many seconds pass between `npm start` and the first response, and how much memory the idle service uses. */
export interface Starts {
  /** Durations of warm starts with the embedded database. */
  embedded: number[]
  /** Durations of warm starts with a database that is already running. */
  own: number[]
  /** Memory of the idle service in MB: the main process, and each of its renderer processes. */
  memory: { main: number; workers: number[] }
}

const ROUNDS = 3
/** Time in ms after which the service is idle and has returned unused memory to the system. */
const REST = 6_000
/** Time in ms after which a start counts as failed. */
const TIMEOUT = 120_000
const ROOT = path.join(import.meta.dirname, '../../..')

/** Starts the service several times. @param url the address of a migrated database */
export const measureStarts = async (url: string): Promise<Starts> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-starts-'))
  try {
    const embedded = { DATA_DIR: folder }
    // This first start creates the database and fills the compile cache, so it is not measured.
    await startOnce(embedded)
    const starts: Starts = { embedded: [], own: [], memory: { main: 0, workers: [] } }
    for (let round = 0; round < ROUNDS; round += 1) {
      starts.embedded.push((await startOnce(embedded)).seconds)
      const isLast = round === ROUNDS - 1
      const own = await startOnce({ DATABASE_URL: url }, isLast ? memoryAtRest : undefined)
      starts.own.push(own.seconds)
      if (own.result) starts.memory = own.result
    }
    return starts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Starts the service with `npm start`, waits until it responds, calls `look`, and stops the service.
 *
 * @param look gets the process id of the main process, and its port
 */
export const startOnce = async <T>(
  settings: Record<string, string>,
  look?: (pid: number, port: number) => Promise<T>,
) => {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...settings }
  const started = performance.now()
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: 'ignore' })
  const ended = once(npm, 'exit')
  try {
    await responds(npm, port)
    const seconds = (performance.now() - started) / 1000
    return { seconds, result: await look?.(mainProcessOf(npm.pid!), port) }
  } finally {
    const main = npm.exitCode === null ? mainProcessOf(npm.pid!) : undefined
    if (main) process.kill(main, 'SIGTERM')
    await ended
  }
}

const responds = async (npm: ChildProcess, port: number): Promise<void> => {
  for (const deadline = performance.now() + TIMEOUT; performance.now() < deadline; await sleep(10)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error('npm start did not respond')
}

/** Returns the id of the process that runs `server/main.mjs`: `pid` or a descendant of it; 0 if there is none. */
const mainProcessOf = (pid: number): number => {
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  if (args.some(arg => /^(?:\/.*\/)?server\/main\.mjs$/.test(arg))) return pid
  for (const child of childrenOf(pid)) {
    const found = mainProcessOf(child)
    if (found) return found
  }
  return 0
}

/** Returns the resident memory of a process, in MB. */
export const memoryOf = (pid: number) => Math.round(residentMiB(pid) * 1.048576)

/** Returns the memory of the service once it has been idle for a while. */
export const memoryAtRest = async (pid: number): Promise<Starts['memory']> => {
  await sleep(REST)
  return { main: memoryOf(pid), workers: childrenOf(pid).map(memoryOf) }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
