import { createHash } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { codeOf } from './error.ts'
import type { ServiceUser } from './user.ts'

/** PostgreSQL names its socket after the port, even without a network port. */
export const port = 5432

/** Maximum length of a socket's path in bytes: the limit of macOS (Linux allows 107). */
const MAX_PATH = 103

export interface SocketFolder {
  /** The path of the folder, which clients use as the host. */
  host: string
  /** The path of the folder as the server receives it; can be relative to the data folder. */
  argument: string
  /** Whether the folder exists only for the socket and is removed when the server stops. */
  temporary: boolean
}

/** Whether the path of a socket in this folder is within the limit. */
export function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= MAX_PATH
}

/** A socket in the data folder. The data folder is private. */
export function socketInData(data: string): SocketFolder {
  return { host: data, argument: '.', temporary: false }
}

/**
 * A socket in a private temporary folder, for a data folder whose path is too long. The same data and user always
 * get the same folder, unless another user owns it.
 */
export async function socketInTemp(data: string, user: ServiceUser | undefined): Promise<SocketFolder> {
  const owner = user?.uid ?? process.getuid?.() ?? 0
  const name = createHash('sha256').update(`${owner} ${data}`).digest('hex').slice(0, 16)
  const base =
    [tmpdir(), '/tmp'].find(place => isShortEnough(path.join(place, `space-site-${name}`))) ?? '/tmp'
  const wanted = path.join(base, `space-site-${name}`)
  const host = (await claimFolder(wanted, owner)) ? wanted : await mkdtemp(path.join(base, 'space-site-'))
  if (user) await lchown(host, user.uid, user.gid)
  return { host, argument: host, temporary: true }
}

/**
 * Creates a private folder, or restricts an existing one to its owner.
 * @param owner id of a user that may own an existing folder, in addition to this process's user
 * @returns false when the path is not a folder, or another user owns it
 */
export async function claimFolder(folder: string, owner: number): Promise<boolean> {
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

/** Whether a server listens on the socket in this folder. */
export function isListening(host: string): Promise<boolean> {
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
