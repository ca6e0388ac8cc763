import { mkdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { findBinaries } from './binaries.ts'
import { dataArgument, ensureCluster, role } from './cluster.ts'
import { explain } from './error.ts'
import { waitForPredecessor } from './predecessor.ts'
import { type ServerProcess, startServer } from './server.ts'
import { serverSettings } from './settings.ts'
import { fitsInto, port, type SocketFolder, socketElsewhere, socketInside } from './socket.ts'
import { removeUnfinished } from './unfinished.ts'
import { serviceUser } from './user.ts'

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** What a client needs beside the name of a database. The host is a folder: there is no network port. */
  connection: { host: string; port: number; user: string }
  /** Shuts it down without waiting for clients; resolves when it is gone and its data are safe. Idempotent. */
  stop(): Promise<void>
  /** Resolves, with the reason, when the server ends without being asked to. */
  died: Promise<string>
}

/** How to start it. */
export interface EmbeddedPostgresOptions {
  /** Where everything is kept; made when missing. */
  folder: string
  /** False gives up safety against a crash of the machine for speed (tests). Default true. */
  durable?: boolean
  /** PostgreSQL settings beside or instead of our own. */
  settings?: Record<string, string>
  /** Gets each line of the server's log. */
  onLog?: (line: string) => void
}

/** Milliseconds for which a start is tried again while the rest of a killed server is going away. */
const patience = 10_000

/**
 * Starts a PostgreSQL that lives and dies with this process.
 * @throws EmbeddedPostgresError with a message that says what to do
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
  await removeUnfinished(home)
  await ensureCluster(data, binaries, user, durable)

  let socket = fitsInto(data) ? socketInside(data) : await socketElsewhere(data, user)
  for (const since = Date.now(); ; await sleep(200)) {
    await waitForPredecessor(data, socket.host)
    // The last one tells whoever looks at the processes which data the server works on.
    const all = { ...serverSettings(durable), ...settings, ...atSocket(socket), 'embedded.data': data }
    const options = Object.entries(all).map(([name, value]) => `--${name}=${value}`)
    options.unshift('-D', dataArgument(data, user))
    const server = startServer(binaries.postgres, options, data, user, onLog)
    if (await server.ready) return running(server, socket)

    const words = await server.ended
    if (/could not (create|bind) .*Unix/i.test(words) && !socket.temporary) {
      // Some file systems that are shared with a virtual machine hold no sockets.
      socket = await socketElsewhere(data, user)
      continue
    }
    const isTaken = /lock file ".*" already exists|shared memory block .* still in use/.test(words)
    if (!isTaken || Date.now() - since > patience) throw explain(home, words)
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
    server.askToStop()
    await server.ended
    if (socket.temporary) await rm(socket.host, { recursive: true, force: true })
  }
  return {
    connection: { host: socket.host, port, user: role },
    stop: () => (stopped ??= stop()),
    died: server.ended.then(how => (stopped ? never : `The database server ended by itself. ${how}`)),
  }
}

/**
 * Creates a database if there is none of that name.
 * @param template the database to copy, to which nobody may be connected; default an empty one
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
    // Another process made it between our question and our command.
    const exists = error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505')
    if (!exists) throw error
  } finally {
    await client.end()
  }
}
