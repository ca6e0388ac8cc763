import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf, EmbeddedPostgresError, useAnother } from './error.ts'

/** Whom PostgreSQL runs as when this process is root; `undefined` elsewhere means: as this process. */
export interface ServiceUser {
  uid: number
  gid: number
}

const nobody: ServiceUser = { uid: 65534, gid: 65534 }

/**
 * PostgreSQL refuses to run as root. It then runs as the owner of the data that are there already, so that
 * one start with sudo doesn't take them away from their owner, and otherwise as nobody.
 * @param data the data folder, which need not exist
 * @throws EmbeddedPostgresError for root on anything but Linux
 */
export async function serviceUser(data: string): Promise<ServiceUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(
      `The embedded database runs as root on Linux only: start as an ordinary user, or ${useAnother}.`,
    )
  }
  const owner = await stat(data).catch(() => undefined)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
}

/** Whether that user can get into a folder, every parent included. */
export async function canEnter(folder: string, user: ServiceUser | undefined): Promise<boolean> {
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd -- "$0"', folder], { ...user, cwd: '/', env: {} })
    return true
  } catch (error) {
    // A shell that ran and said no has a number as its code; anything else is a failure to run one at all.
    if (codeOf(error) === undefined) return false
    throw error
  }
}

/**
 * Hands a data folder that root owns to the service user: a backup that root restored is in that state.
 * @param data an existing PostgreSQL data folder
 */
export async function handOver(data: string, user: ServiceUser | undefined): Promise<void> {
  if (!user || (await stat(data)).uid === user.uid) return
  await promisify(execFile)('chown', ['-R', '-h', `${user.uid}:${user.gid}`, data])
}
