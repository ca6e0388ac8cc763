import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Database } from '../../../db/database.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/postgres.ts'
import { migrate } from '../../../db/migrate.ts'
import { cpuOfTree } from './cpu.ts'
import type { Load, LoadResult } from './load.ts'
import { type Scenario, scenariosFor } from './scenarios.ts'
import { type SeedSize, seed } from './seed.ts'
import type { Answers, Ready } from './server.ts'

/** A server that is measured. */
export interface Measured {
  port: number
  /** Returns the CPU time of the server and its workers so far, in µs. */
  cpu: () => number
  ask: <Question extends keyof Answers>(question: Question) => Promise<Answers[Question]>
}

/** The service and the bare server on one filled server, and a process that sends requests. */
export interface Bench {
  /** The address of the server. */
  url: string
  description: string
  scenarios: Scenario[]
  ours: Measured
  bare: Measured
  /** Returns the service that records no history. The first call starts it. */
  withoutHistory: () => Promise<Measured>
  /** Returns the CPU time of PostgreSQL so far, in µs. */
  databaseCpu: () => number
  /** Returns the resident memory of the service's main process, in MB. */
  memory: () => Promise<number>
  send: (load: Load) => Promise<LoadResult>
  close: () => Promise<void>
}

/** Port in the addresses of the content domains. Requests name it in the Host header. */
const PUBLIC_PORT = '3000'

export const openBench = async (size: SeedSize): Promise<Bench> => {
  const started = performance.now()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bench-'))
  const server = await startEmbeddedPostgres({ folder, durable: false })
  const { host, port, user } = server.connection
  const url = `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
  const postmaster = Number((await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
  const database = await Database.open({ url })
  await migrate(database)
  await database.close()
  const seeded = await seed(url, size)

  const children: ChildProcess[] = []
  const start = async (program: string): Promise<Measured> => {
    const child = fork(new URL(program, import.meta.url), [url])
    children.push(child)
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${program} ended with ${String(code)}`)
    })
    failed.catch(() => {})
    const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [Ready]
    return {
      port,
      cpu: () => cpuOfTree(child.pid!),
      ask: async <Question extends keyof Answers>(question: Question) => {
        child.send(question)
        return ((await once(child, 'message')) as [Answers[Question]])[0]
      },
    }
  }
  const ours = await start('./seeded.ts')
  const bare = await start('./bare.ts')
  let withoutHistory: Promise<Measured> | undefined
  const load = fork(new URL('./load.ts', import.meta.url))

  const megabytes = Math.round(seeded.databaseBytes / 1e6)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return {
    url,
    description: `${size.spaces} spaces, ${size.records} records, ${size.spaces * (size.isLean ? 1 : 5)} pages, ${size.posts} posts: ${megabytes} MB, ready after ${seconds} s`,
    scenarios: scenariosFor(seeded, PUBLIC_PORT),
    ours,
    bare,
    withoutHistory: () => (withoutHistory ??= start('./without-history.ts')),
    databaseCpu: () => cpuOfTree(postmaster),
    memory: async () => Math.round(await ours.ask('memory')),
    send: async request => {
      load.send(request)
      return ((await once(load, 'message')) as [LoadResult])[0]
    },
    close: async () => {
      load.disconnect()
      for (const child of children) {
        if (!child.connected) continue
        child.disconnect()
        await once(child, 'exit')
      }
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
