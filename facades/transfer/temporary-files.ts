import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** The name of a temporary folder begins with this and the id of the process that uses it. */
const PREFIX = 'space-site-transfer-'

/** Runs work with the path of a temporary archive, which is deleted afterwards. */
export const withTemporaryFile = async <T>(work: (file: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`))
  try {
    return await work(path.join(folder, 'space.zip'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Time in ms after which no process uses an archive any more. */
const MAX_AGE = 86_400_000

/**
 * Deletes the archives of processes that have ended without deleting them, such as processes that were killed. Errors
 * are ignored: the folder may belong to another user, or another process may be deleting it.
 */
export const deleteAbandonedFiles = async (): Promise<void> => {
  const names = await readdir(os.tmpdir()).catch(() => [])
  for (const name of names.filter(one => one.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name)
    const pid = Number(/^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0])
    const changed = (await stat(folder).catch(() => undefined))?.mtimeMs
    if (changed === undefined || (isInUse(pid, changed) && changed > Date.now() - MAX_AGE)) continue
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Whether a process may be using its folder. In a container, a new process often has the same id as the one before it,
 * so a folder that is older than this process does not belong to it. An earlier version did not write the id.
 */
const isInUse = (pid: number, changed: number): boolean => {
  if (Number.isNaN(pid)) return true
  if (pid === process.pid) return changed >= Date.now() - process.uptime() * 1000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
