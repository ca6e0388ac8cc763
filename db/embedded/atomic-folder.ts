import { randomUUID } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './error.ts'
import type { ServiceUser } from './user.ts'

const prefix = 'unfinished-'
/** Folders that this process is filling. */
const inProgress = new Set<string>()

/**
 * Creates a folder that is either complete or absent: fills a temporary folder beside the target, then renames it. If
 * another process creates the target first, the folder of that process is kept.
 * @param target path of the new folder: absent or an empty folder; its parent must exist
 * @param owner owner of the new folder; by default, this process's user
 * @param fill writes the content into the folder it receives
 */
export async function createFolderAtomically(
  target: string,
  owner: ServiceUser | undefined,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const parent = path.dirname(target)
  const folder = path.join(parent, `${prefix}${process.pid}-${randomUUID()}`)
  // Register the folder before creating it, so that a concurrent removePartialFolders leaves it alone.
  inProgress.add(folder)
  try {
    await mkdir(folder, { mode: 0o700 })
    if (owner) await chown(folder, owner.uid, owner.gid)
    await fill(folder)
    await rename(folder, target)
    await sync(parent)
  } catch (error) {
    const alreadyExists = ['EEXIST', 'ENOTEMPTY'].includes(codeOf(error) ?? '')
    await remove(folder)
    if (!alreadyExists) throw error
  } finally {
    inProgress.delete(folder)
  }
}

/** Removes the temporary folders in `parent` that were left behind by processes that were killed. */
export async function removePartialFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(parent, name)
    const creator = Number.parseInt(name.slice(prefix.length), 10)
    // Our own pid does not prove that the folder is ours: in a container every start may get the same pid.
    const isInUse = creator === process.pid ? inProgress.has(folder) : isRunning(creator)
    if (!isInUse) await remove(folder)
  }
}

async function remove(folder: string) {
  // An orphaned initdb may still be writing into the folder; the next start removes what is left.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}

async function sync(folder: string) {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
