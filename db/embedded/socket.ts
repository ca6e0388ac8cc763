import { createHash } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { codeOf } from './error.ts'
import type { ServiceUser } from './user.ts'

/** PostgreSQL names its socket by the port, also where it opens none. */
export const port = 5432

/** Bytes of a socket's path, the smallest limit of the systems that we run on (macOS; Linux has 107). */
const longestPath = 103

/** Where the socket is. */
export interface SocketFolder {
  /** What a client gives as its host. */
  host: string
  /** What the server, which stands in its data folder, is told. */
  argument: string
  /** Whether the folder serves no other purpose and goes with the server. */
  temporary: boolean
}

/** Whether a client can reach a socket in the data folder itself, private as that folder is. */
export function fitsInto(data: string): boolean {
  return Buffer.byteLength(socketPath(data)) <= longestPath
}

/** The socket in the data folder. */
export function socketInside(data: string): SocketFolder {
  return { host: data, argument: '.', temporary: false }
}

/**
 * A short private folder for the socket of a data folder whose own path is too long. The name is always the
 * same for the same data and user, unless somebody else has taken it.
 */
export async function socketElsewhere(data: string, user: ServiceUser | undefined): Promise<SocketFolder> {
  const owner = user?.uid ?? process.getuid?.() ?? 0
  const name = createHash('sha256').update(`${owner} ${data}`).digest('hex').slice(0, 16)
  const base = [tmpdir(), '/tmp'].find(place => fitsInto(path.join(place, `space-site-${name}`))) ?? '/tmp'
  const wanted = path.join(base, `space-site-${name}`)
  const host = (await claim(wanted, owner)) ? wanted : await mkdtemp(path.join(base, 'space-site-'))
  if (user) await lchown(host, user.uid, user.gid)
  return { host, argument: host, temporary: true }
}

/**
 * Makes a private folder, or makes one that is there private again.
 * @param owner whose it may be, beside this process's user
 * @returns false when somebody else's folder, or something else, is in the place
 */
export async function claim(folder: string, owner: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || ![owner, process.getuid?.()].includes(found.uid)) return false
  await chmod(folder, 0o700)
  return true
}

/** Whether a server listens at the socket of that folder. */
export function answers(host: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(socketPath(host))
    const done = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => done(true)).once('error', () => done(false))
  })
}

function socketPath(host: string): string {
  return path.join(host, `.s.PGSQL.${port}`)
}
