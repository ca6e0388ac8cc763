import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { childrenOf } from '../../liquid/process-info.ts'
import { freePort } from '../../support/program.ts'

const BIN = '/usr/lib/postgresql/15/bin'

/** PostgreSQL refuses to run as root. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A PostgreSQL server that runs in its own folder. */
export interface PostgresServer {
  url: string
  start(): Promise<void>
  /** Stops the server at once, as a crash does. */
  stop(): Promise<void>
  /** Suspends the server and all its backends, or resumes them. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>
  query(statement: string): Promise<Record<string, unknown>[]>
}

/** A primary and its streaming standby. */
export interface Replication {
  primary: PostgresServer
  standby: PostgresServer
  /** Creates another standby of the primary. */
  createStandby(name: string): Promise<PostgresServer>
  remove(): Promise<void>
}

/** Creates a primary and a standby that streams from it. */
export const startReplication = async (): Promise<Replication> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-standby-'))
  if (USER.uid !== undefined) await chown(folder, USER.uid, USER.gid)
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(path.join(BIN, program), args, { ...USER, cwd: folder, env: {} })
  const server = async (name: string): Promise<PostgresServer> => {
    const data = path.join(folder, name)
    const port = String(await freePort())
    const url = `postgresql://tests@127.0.0.1:${port}/postgres`
    const postmaster = async () =>
      Number((await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    return {
      url,
      start: async () => {
        const settings = `-p ${port} -k '' -c fsync=off -c hot_standby_feedback=on`
        const args = ['-D', data, '-w', '-t', '120', '-l', `${data}.log`, '-o', settings, 'start']
        // Ignore the output, because the server inherits it from pg_ctl and keeps it open.
        const child = spawn(path.join(BIN, 'pg_ctl'), args, {
          ...USER,
          cwd: folder,
          env: {},
          stdio: 'ignore',
        })
        const [code] = (await once(child, 'exit')) as [number]
        if (code !== 0) throw new Error(await readFile(`${data}.log`, 'utf8'))
      },
      stop: async () => void (await run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')),
      signal: async signal => {
        const pid = await postmaster()
        // Signal the parent first. Once frozen, it starts no more children.
        process.kill(pid, signal)
        for (const child of childrenOf(pid)) {
          try {
            process.kill(child, signal)
          } catch (error) {
            // The process of a connection that was just closed may have ended.
            if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
          }
        }
      },
      query: async statement => {
        const client = new Client({ connectionString: url })
        await client.connect()
        try {
          return (await client.query<Record<string, unknown>>(statement)).rows
        } finally {
          await client.end()
        }
      },
    }
  }
  const servers: PostgresServer[] = []
  const primary = await server('primary')
  const createStandby = async (name: string) => {
    const standby = await server(name)
    const target = path.join(folder, name)
    await run('pg_basebackup', '-d', primary.url, '-D', target, '-R', '-X', 'stream', '-c', 'fast')
    await standby.start()
    servers.unshift(standby)
    return standby
  }
  const options = ['-U', 'tests', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await run('initdb', '-D', path.join(folder, 'primary'), ...options)
  await primary.start()
  servers.push(primary)
  return {
    primary,
    standby: await createStandby('standby'),
    createStandby,
    remove: async () => {
      for (const one of servers) await one.stop().catch(() => {})
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
