import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { isRunning } from '../../liquid/process-info.ts'
import { freePort } from '../../support/program.ts'
import { call } from './http.ts'

const MIB = 1_048_576

const WATCH_TURNS = new URL('./watch-turns.mjs', import.meta.url).href

/** The service in its own process, with a data folder. It can be started again with the same folder. */
export interface ServiceProcess {
  readonly port: number
  readonly metricsPort: number
  readonly folder: string
  readonly pid: number
  readonly hasEnded: boolean
  log(): string
  /** Starts the service, and resolves when it responds. */
  start(): Promise<void>
  /** Sends a signal, and resolves with the exit code once the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Kills the service with its workers and the database. */
  killAll(): Promise<void>
  /** Kills the template workers. Resolves when all have ended. */
  killWorkers(): Promise<void>
  /**
   * Returns the memory of the service and its workers in MiB, without the database. Shared memory is counted only
   * once. Returns 0 if memory cannot be measured.
   */
  memory(): Promise<number>
  /** Returns the CPU time of the longest turn of the event loop since the last call, in ms; 0 if all were short. */
  longestTurn(): Promise<number>
  /** Returns the value of a metric. */
  metric(name: string): Promise<number>
  query(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Stops the service and deletes its data. */
  remove(): Promise<void>
}

/**
 * Starts the service in its own process.
 *
 * @param settings environment variables
 * @param folder the data folder, by default a new one
 */
export const startProgram = async (
  settings: Record<string, string> = {},
  folder?: string,
): Promise<ServiceProcess> => {
  const data = folder ?? (await mkdtemp(path.join(os.tmpdir(), 'space-site-faults-')))
  const port = await freePort()
  // If the service has several processes, each has its own port for metrics.
  const metricsPort = await freePort(Number(settings.WEB_CONCURRENCY ?? 1))
  const turnsFile = `${data}.turns`
  let child: ChildProcess
  let ended: Promise<number | null>
  let log = ''

  const start = async () => {
    log = ''
    child = spawn(process.execPath, ['server/main.mjs'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        DATA_DIR: data,
        DEMO: '0',
        TURNS_FILE: turnsFile,
        ...settings,
        NODE_OPTIONS: `--import ${WATCH_TURNS} ${settings.NODE_OPTIONS ?? ''}`,
      },
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-MIB)
    })
    ended = once(child, 'exit').then(([code]) => code as number | null)
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(50)) {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${log}`)
      if ((await call(port, { path: '/readyz/process', timeout: 10_000 })).status === 200) return
    }
    throw new Error(`The service does not respond:\n${log}`)
  }

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }

  const query = async (statement: string, values: unknown[] = []) => {
    const client = new Client({
      host: path.join(data, 'data'),
      user: 'space_site',
      port: 5432,
      database: 'space_site',
    })
    await client.connect()
    try {
      return (await client.query(statement, values)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }

  await start()
  return {
    port,
    metricsPort,
    folder: data,
    get pid() {
      return child.pid!
    },
    get hasEnded() {
      return hasEnded()
    },
    log: () => log,
    start,
    end,
    killAll: async () => {
      const all = [child.pid!, ...(await descendants(child.pid!))]
      for (const pid of all) kill(pid)
      await ended
    },
    killWorkers: async () => {
      const workers: number[] = []
      for (const pid of await descendants(child.pid!)) if (await isNode(pid)) workers.push(pid)
      for (const pid of workers) kill(pid)
      while (workers.some(isRunning)) await sleep(5)
    },
    memory: async () => {
      let sum = await residentMemory(child.pid!)
      for (const pid of await descendants(child.pid!)) if (await isNode(pid)) sum += await residentMemory(pid)
      return Math.round(sum)
    },
    longestTurn: async () => {
      const lines = await readFile(turnsFile, 'utf8').catch(() => '')
      await rm(turnsFile, { force: true })
      return Math.max(0, ...lines.split('\n').map(Number))
    },
    metric: name => readMetric(metricsPort, name),
    query,
    remove: async () => {
      if (!hasEnded()) {
        const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
        await end('SIGTERM')
        clearTimeout(timer)
      }
      await rm(turnsFile, { force: true })
      await rm(data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
    },
  }
}

/** Reads the value of a metric without labels. */
export const readMetric = async (metricsPort: number, name: string): Promise<number> => {
  const { text } = await call(metricsPort, { path: '/metrics' })
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Returns the children of a process, their children, and so on. */
const descendants = async (pid: number): Promise<number[]> => {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = list.trim().split(' ').filter(Boolean).map(Number)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

const isNode = async (pid: number) =>
  (await readlink(`/proc/${pid}/exe`).catch(() => '')) === (await readlink('/proc/self/exe').catch(() => '-'))

const residentMemory = async (pid: number) => {
  const sums = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(sums)?.[1] ?? 0) / 1024
}
