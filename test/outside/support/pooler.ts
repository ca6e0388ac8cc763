import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../support/program.ts'

/** A running PgBouncer. */
export interface Pooler {
  /** Whether clients can use named prepared statements. The version of PgBouncer in Debian 12 does not support them. */
  preparesStatements: boolean
  /** Converts the URL of a database into one that connects to it through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/** Set `PGBOUNCER_PATH` to test a different version from the one in `PATH`. */
const PROGRAM = process.env.PGBOUNCER_PATH ?? 'pgbouncer'

/** Whether the version of PgBouncer is 1.21 or later. */
const preparesStatements = async (): Promise<boolean> => {
  const { stdout } = await promisify(execFile)(PROGRAM, ['--version'])
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout)!.map(Number)
  return major! > 1 || minor! >= 21
}

/** Maximum number of connections of the pooler to each database. */
export const POOL_SIZE = 5

/**
 * Starts PgBouncer in transaction mode in front of a server that listens on a socket.
 *
 * @param url any database of the server
 */
export const startPooler = async (url: string): Promise<Pooler> => {
  const server = new URL(url)
  const host = server.searchParams.get('host')!
  // Run PgBouncer as the user of the server: PgBouncer refuses to run as root, and no other user can open the server's
  // socket.
  const { uid, gid } = await stat(host)
  const port = await freePort()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-pooler-'))
  const file = path.join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = host=${host} port=${server.port || '5432'} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${POOL_SIZE}`,
    'max_client_conn = 500',
  ]
  const isNew = await preparesStatements()
  if (isNew) settings.push('max_prepared_statements = 200')
  await writeFile(file, `${settings.join('\n')}\n`)
  if (process.getuid?.() === 0) for (const name of [folder, file]) await chown(name, uid, gid)
  const child = spawn(PROGRAM, ['-q', file], { uid, gid, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await sleep(20)
  }
  return {
    preparesStatements: isNew,
    through: direct => `postgresql://${server.username}@127.0.0.1:${port}${new URL(direct).pathname}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
