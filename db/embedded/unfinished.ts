import { randomUUID } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './error.ts'
import type { ServiceUser } from './user.ts'

const prefix = 'unfinished-'
const ours = new Set<string>()

/**
 * Makes a folder that is either complete or not there: it is filled beside its place and then renamed into
 * it. When somebody else was faster, theirs stays and ours is dropped.
 * @param target where it goes; nothing or an empty folder is there, its parent exists
 * @param owner who shall own the folder while it is filled, when not this process
 * @param fill puts the content into the folder that it is given
 */
export async function makeWhole(
  target: string,
  owner: ServiceUser | undefined,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const place = path.dirname(target)
  const folder = path.join(place, `${prefix}${process.pid}-${randomUUID()}`)
  // Before it is there, or who removes leftovers at the same moment would take it for one.
  ours.add(folder)
  try {
    await mkdir(folder, { mode: 0o700 })
    if (owner) await chown(folder, owner.uid, owner.gid)
    await fill(folder)
    await rename(folder, target)
    await sync(place)
  } catch (error) {
    const somebodyWasFaster = ['EEXIST', 'ENOTEMPTY'].includes(codeOf(error) ?? '')
    await remove(folder)
    if (!somebodyWasFaster) throw error
  } finally {
    ours.delete(folder)
  }
}

/** Removes what starts that were killed half-way have left in a folder. */
export async function removeUnfinished(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(place, name)
    const maker = Number.parseInt(name.slice(prefix.length), 10)
    // Our own number doesn't prove that it is ours: in a container every start may get the same one.
    const inWork = maker === process.pid ? ours.has(folder) : isRunning(maker)
    if (!inWork) await remove(folder)
  }
}

async function remove(folder: string) {
  // An orphaned initdb may still be writing into it; what can't go now goes at the next start.
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
