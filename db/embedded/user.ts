import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf, EmbeddedPostgresError, useOtherDatabase } from './error.ts'

/** The user that PostgreSQL runs as. */
export interface ServiceUser {
  uid: number
  gid: number
}

const nobody: ServiceUser = { uid: 65534, gid: 65534 }

/**
 * Chooses the user that PostgreSQL runs as, because PostgreSQL refuses to run as root. Chooses the owner of the data
 * folder, so that a single start with sudo does not lock the owner out. If the folder does not exist or belongs to
 * root, chooses `nobody`.
 * @param data the data folder, which need not exist
 * @returns undefined if this process is not root: PostgreSQL then runs as the user of this process
 * @throws EmbeddedPostgresError if this process is root and the system is not Linux
 */
export async function serviceUser(data: string): Promise<ServiceUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(
      `The embedded database runs as root on Linux only: start as an ordinary user, or ${useOtherDatabase}.`,
    )
  }
  const owner = await stat(data).catch(() => undefined)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
}

/** Whether the user has access to a folder and all its parents. */
export async function canEnter(folder: string, user: ServiceUser | undefined): Promise<boolean> {
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd -- "$0"', folder], { ...user, cwd: '/', env: {} })
    return true
  } catch (error) {
    // An exit code means that the shell ran but was denied access; a system error code means that it could not be
    // started.
    if (codeOf(error) === undefined) return false
    throw error
  }
}

/**
 * Makes the service user the owner of a data folder that another user owns, for example after root has restored a
 * backup.
 * @param data an existing PostgreSQL data folder
 */
export async function changeOwner(data: string, user: ServiceUser | undefined): Promise<void> {
  if (!user || (await stat(data)).uid === user.uid) return
  await promisify(execFile)('chown', ['-R', '-h', `${user.uid}:${user.gid}`, data])
}
