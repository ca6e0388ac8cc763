import { Failure, Outdated } from '../failure.ts'
import { digestOf, possibleDigests, type Settings, sha256 } from '../folder/content.ts'
import { MANIFEST, parseManifest, settingsIn } from '../folder/manifest.ts'
import { kindOf } from '../folder/paths.ts'
import { ChangedMeanwhile, type Push, type Pushed, type RemoteItem, type Space } from '../service/space.ts'
import type { Difference } from './compare.ts'
import { writeManifest } from './pull.ts'
import { listed, type SiteFolder, type Status, statusOf } from './site-folder.ts'

/** One change that a push makes in the space. */
export interface Planned {
  path: string
  change: 'added' | 'changed' | 'deleted'
  /** Size in bytes; 0 for a deletion. */
  size: number
}

/** What a push would do. */
export interface PushPlan {
  subdomain: string
  /** The address of the site. */
  address: string
  changes: Planned[]
  /** What only the space has changed. */
  onlyThere: string[]
  /** What is left out, with the reasons. */
  left: { path: string; message: string }[]
  push: Push
}

const MAX_NAMED = 5

/** Names some items: `a, b and 3 more`. */
export const named = (paths: readonly string[]): string => {
  const shown = paths.slice(0, MAX_NAMED).join(', ')
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown
}

/**
 * Plans what a push changes in the space.
 *
 * @param isPartial whether to leave out what cannot be pushed now, instead of refusing everything
 * @throws {Failure} if a conflict is not settled, if something in the folder cannot be pushed, or if the space has changed
 *   what the folder changed
 */
export const planPush = async (folder: SiteFolder, space: Space, isPartial = false): Promise<PushPlan> => {
  const { scan, memory, disk } = folder
  const { listing, remote } = await listed(space)
  const { differences, unsettled, problems } = statusOf(folder, remote)
  const changed = differences.filter(({ here }) => here !== null)
  if (!isPartial) {
    requireSettled(unsettled)
    requireNoProblem(problems)
    requireUnchangedThere(changed)
  }
  const leftOut = new Set([...unsettled, ...problems].map(({ path }) => path))
  const fileOf = (path: string) => (scan.items.get(path) ?? memory.items.get(path))?.file ?? path
  const outgoing = changed.filter(({ path }) => !leftOut.has(path) && !leftOut.has(fileOf(path)))
  const contents = new Map<string, Uint8Array>()
  const settings = new Map<string, Settings>()
  const changes: Record<string, string | null> = {}
  const planned: Planned[] = []
  for (const { path, here, there } of outgoing) {
    if (here === null || there !== null) continue
    const item = scan.items.get(path)
    const key = remote.get(path)?.path ?? path
    const base = memory.items.get(path)?.version ?? null
    if (item) {
      const bytes = await disk.read(item.file)
      if (bytes === null || sha256(bytes) !== item.exact) {
        // The next round takes it.
        if (isPartial) continue
        throw new Failure(
          `${item.file} was saved while it was read; nothing was pushed. Run space push again.`,
        )
      }
      contents.set(key, bytes)
      settings.set(key, item.settings)
    }
    changes[key] = base
    planned.push({ path, change: here, size: item?.size ?? 0 })
  }
  return {
    subdomain: listing.subdomain,
    address: listing.address,
    changes: planned,
    left: problems,
    onlyThere: differences.filter(({ here }) => here === null).map(({ path }) => path),
    push: { contents, settings, changes },
  }
}

/** @throws {Failure} if a conflict is not settled */
const requireSettled = (unsettled: Status['unsettled']): void => {
  const [file] = unsettled.flatMap(({ files }) => files)
  if (file !== undefined)
    throw new Failure(
      `Conflicts are not settled: ${named(unsettled.map(({ path }) => path))}. Take what you want from ${file} into your file, then delete ${file}.`,
    )
}

/** @throws {Failure} if something in the folder cannot be pushed */
const requireNoProblem = (problems: Status['problems']): void => {
  if (problems.length > 0)
    throw new Failure(
      `Nothing was pushed, because of ${problems[0]!.path}: ${problems[0]!.message}.${problems.length > 1 ? ` There are ${problems.length - 1} more problems; space status lists them.` : ''}`,
    )
}

/** @throws {Failure} if the space has changed an item that the folder changed; equal deletions are no change */
const requireUnchangedThere = (outgoing: readonly Difference[]): void => {
  const both = outgoing.filter(
    ({ here, there }) => there !== null && !(here === 'deleted' && there === 'deleted'),
  )
  if (both.length > 0) throw changedThere(both.map(({ path }) => path))
}

const changedThere = (paths: readonly string[]) =>
  new Outdated(
    `Nothing was pushed, because the space has changed since your last pull: ${named(paths)}. Run space pull first.`,
  )

/**
 * Applies the plan of a push in one transaction, and remembers the new state. After an interruption before that, the next
 * pull finds equal content on both sides.
 *
 * @throws {Failure} if the space has changed an item since the plan was made
 */
export const push = async (folder: SiteFolder, space: Space, plan: PushPlan): Promise<Pushed> => {
  const { memory, scan, disk } = folder
  const { contents, changes } = plan.push
  let pushed: Pushed
  try {
    pushed = await space.write(plan.push)
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? changedThere(error.paths) : error
  }
  const written = new Map(pushed.items.map(item => [item.path, item]))
  const settings = new Map<string, Settings | null>()
  const manifest = parseManifest((await disk.read(MANIFEST))?.toString() ?? null)
  const keys = Object.keys(changes)
  for (const key of keys.filter(key => !contents.has(key))) {
    memory.items.delete(key.normalize('NFC'))
    settings.set(key.normalize('NFC'), null)
  }
  for (const [key, bytes] of contents) {
    const path = key.normalize('NFC')
    const item = written.get(key) ?? movedItem(pushed.items, contents, path, bytes)
    if (item === undefined) continue
    const now = item.path.normalize('NFC')
    let { file } = scan.items.get(path)!
    if (now !== path) {
      await disk.move(file, now)
      file = now
      settings.set(path, null)
      memory.items.delete(path)
    }
    // Adds the settings that the space has chosen. Those in the manifest may have been edited meanwhile.
    if (kindOf(now) === 'page') settings.set(now, settingsIn(manifest, now, item.settings))
    memory.items.set(now, {
      // An item that the space stored differently counts as changed there, so that the next pull takes it.
      version: possibleDigests(path, bytes).includes(item.digest) ? item.version : '',
      digest: digestOf(path, bytes),
      settings: item.settings,
      base: await memory.keep(path, bytes),
      file,
    })
  }
  await writeManifest(disk, {}, settings)
  await memory.save()
  return pushed
}

/** Finds a file that the space keeps at another path, because another file there has the same name. */
const movedItem = (
  items: readonly RemoteItem[],
  sent: ReadonlyMap<string, Uint8Array>,
  path: string,
  bytes: Uint8Array,
): RemoteItem | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return items.find(
    item => !sent.has(item.path) && item.path.endsWith(`/${name}`) && item.digest === sha256(bytes),
  )
}
