import { mkdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { removePartialFolders } from './atomic-folder.ts'
import { findBinaries } from './binaries.ts'
import { dataArgument, ensureCluster, role } from './cluster.ts'
import { explain } from './error.ts'
import { readPidFile, waitForPreviousServer } from './previous-server.ts'
import { type ServerProcess, serverSettings, startServer } from './server.ts'
import { isListening, isShortEnough, port, type SocketFolder, socketInData, socketInTemp } from './socket.ts'
import { serviceUser } from './user.ts'

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** Connection settings other than the database name. The host is the socket's folder: there is no network port. */
  connection: { host: string; port: number; user: string }
  /**
   * Shuts the server down without waiting for clients. Resolves when the server has exited and its data is on disk.
   * Idempotent.
   */
  stop(): Promise<void>
  /** Resolves with the reason when the server exits unexpectedly. */
  died: Promise<string>
}

export interface EmbeddedPostgresOptions {
  /** The folder for all of the server's files; created if missing. */
  folder: string
  /** False makes writes faster, but a machine crash can lose data; only tests pass false. Default true. */
  durable?: boolean
  /** PostgreSQL settings that extend or override ours. */
  settings?: Record<string, string>
  /** Called with each line of the server's log. */
  onLog?: (line: string) => void
}

/** Time in ms during which a start is retried, because a killed server's processes may still be exiting. */
const RETRY_FOR = 10_000

/**
 * Starts a PostgreSQL server that stops when this process ends.
 * @throws EmbeddedPostgresError with a message that says how to fix the problem
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    throw explain(options.folder, error)
  }
}

async function start({ folder, durable = true, settings = {}, onLog = () => {} }: EmbeddedPostgresOptions) {
  await mkdir(folder, { recursive: true })
  const home = await realpath(folder)
  const data = path.join(home, 'data')
  const user = await serviceUser(data)
  const binaries = await findBinaries(home, user)
  await removePartialFolders(home)
  await ensureCluster(data, binaries, user, durable)

  let socket = isShortEnough(data) ? socketInData(data) : await socketInTemp(data, user)
  for (const since = Date.now(); ; await sleep(200)) {
    await waitForPreviousServer(data, socket.host)
    // `embedded.data` shows in the process list which data folder the server uses.
    const all = { ...serverSettings(durable), ...settings, ...atSocket(socket), 'embedded.data': data }
    const options = Object.entries(all).map(([name, value]) => `--${name}=${value}`)
    options.unshift('-D', dataArgument(data, user))
    const server = startServer(binaries.postgres, options, data, user, onLog)
    if (await server.ready) return running(server, socket)

    const output = await server.ended
    if (/could not (create|bind) .*Unix/i.test(output) && !socket.temporary) {
      // Some file systems shared with a virtual machine don't support sockets.
      socket = await socketInTemp(data, user)
      continue
    }
    const isTaken = /lock file ".*" already exists|shared memory block .* still in use/.test(output)
    if (!isTaken || Date.now() - since > RETRY_FOR) throw explain(home, output)
  }
}

function atSocket({ argument }: SocketFolder): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: argument,
    unix_socket_permissions: '0700',
    port: String(port),
  }
}

const never = new Promise<never>(() => {})

function running(server: ServerProcess, socket: SocketFolder): EmbeddedPostgres {
  let stopped: Promise<void> | undefined
  const stop = async () => {
    server.requestStop()
    await server.ended
    if (socket.temporary) await rm(socket.host, { recursive: true, force: true })
  }
  return {
    connection: { host: socket.host, port, user: role },
    stop: () => (stopped ??= stop()),
    died: server.ended.then(reason =>
      stopped ? never : `The database server exited unexpectedly. ${reason}`,
    ),
  }
}

/**
 * Creates a database unless one with this name exists.
 * @param template the database to copy, which must have no open connections; by default, the new database is empty
 */
export async function ensureDatabase(
  server: Pick<EmbeddedPostgres, 'connection'>,
  name: string,
  template = 'template1',
): Promise<void> {
  const client = new Client({ ...server.connection, database: 'postgres', ssl: false })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    await client.query(`create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`)
  } catch (error) {
    // Another process created the database after our query.
    const exists = error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505')
    if (!exists) throw error
  } finally {
    await client.end()
  }
}

/** Deletes a database and ends the connections to it. */
export const dropDatabase = async (
  server: Pick<EmbeddedPostgres, 'connection'>,
  name: string,
): Promise<void> => {
  const client = new Client({ ...server.connection, database: 'postgres', ssl: false })
  await client.connect()
  try {
    await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
  } finally {
    await client.end()
  }
}

/**
 * Finds the server that another process runs on a data folder, for commands that run while the service is running.
 *
 * @returns how to connect to it, or null when none is running
 */
export const findRunningPostgres = async (
  folder: string,
): Promise<Pick<EmbeddedPostgres, 'connection'> | null> => {
  const data = path.join(await realpath(folder).catch(() => folder), 'data')
  const file = await readPidFile(data)
  if (!file) return null
  const host = file.socketFolder === '.' ? data : file.socketFolder
  return (await isListening(host)) ? { connection: { host, port, user: role } } : null
}
