import { isDeepStrictEqual } from 'node:util'
import { Outdated } from '../failure.ts'
import { digestOf, type Settings, sha256 } from '../folder/content.ts'
import type { Disk } from '../folder/disk.ts'
import {
  MANIFEST,
  manifestBytes,
  parseManifest,
  type SiteManifest,
  withSettings,
} from '../folder/manifest.ts'
import { folded, localPathOf, theirsPath } from '../folder/paths.ts'
import type { RemoteItem, Space } from '../service/space.ts'
import type { Difference } from './compare.ts'
import { type Outcome, settle } from './settle.ts'
import { batches, listed, type SiteFolder, statusOf } from './site-folder.ts'

/** What a pull did. */
export interface Pulled {
  taken: string[]
  merged: string[]
  deleted: string[]
  /** Items that both sides changed, with the file that has the version of the space. */
  conflicts: { path: string; theirs: string }[]
  /** Items that were left as they are, with the reason; `isSaved` if it was saved at the same time. */
  left: { path: string; message: string; isSaved?: true }[]
}

/** A change of the folder that has been prepared. */
interface Step {
  path: string
  file: string
  item: RemoteItem | null
  outcome: Outcome
  /** The temporary file with what is written, and where it belongs. */
  staged?: { temporary: string; to: string }
  digest?: string
  base?: string | null
}

/**
 * Brings what changed in the space into the folder. Everything is written to temporary files first, so that a full disk
 * or a lost connection changes nothing. What the folder remembers is written last: after an interruption, the next pull
 * finds equal content on both sides.
 */
export const pull = async (folder: SiteFolder, space: Space): Promise<Pulled> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await pullOnce(folder, space)
    } catch (error) {
      if (!(error instanceof ChangedWhileRead)) throw error
      if (attempt === ATTEMPTS)
        throw new Outdated(
          'The space changed several times while it was read; nothing was written. Run space pull again.',
        )
    }
}

/** How often to list and read again when items change in between. */
const ATTEMPTS = 3

/** Thrown if an item has changed since it was listed. */
class ChangedWhileRead extends Error {}

const pullOnce = async (folder: SiteFolder, space: Space): Promise<Pulled> => {
  const { memory, scan, disk } = folder
  const { listing, remote } = await listed(space)
  const pulled: Pulled = { taken: [], merged: [], deleted: [], conflicts: [], left: [] }
  const changed = new Map<string, Difference>()
  for (const difference of statusOf(folder, remote).differences) {
    if (difference.there === null) continue
    const { path } = difference
    if (scan.unsettled.has(path)) pulled.left.push({ path, message: 'its earlier conflict is not settled' })
    else changed.set(path, difference)
  }
  const steps: Step[] = []
  const taken = new Set([...scan.taken, ...[...memory.items.values()].map(({ file }) => folded(file))])
  for (const difference of changed.values())
    if (!remote.has(difference.path)) steps.push(await prepare(folder, difference, null, null, taken))
  const wanted = [...remote].filter(([path]) => changed.has(path))
  let read = 0
  for (const batch of batches(wanted.map(([, item]) => item))) {
    space.onProgress?.(`Reading ${read + batch.length} of ${wanted.length} items`)
    read += batch.length
    const contents = await readExactly(space, batch)
    for (const item of batch) {
      const difference = changed.get(item.path.normalize('NFC'))!
      steps.push(await prepare(folder, difference, item, contents.get(item.path)!, taken))
    }
  }
  const settings = new Map<string, Settings | null>()
  space.onProgress?.(`Writing ${steps.length} items`)
  for (const step of steps) await apply(folder, step, settings, pulled)
  await writeManifest(disk, { files_domain: listing.files_domain }, settings)
  await memory.save()
  return pulled
}

/** Reads the bytes that a listing promises. @throws {ChangedWhileRead} */
const readExactly = async (space: Space, items: readonly RemoteItem[]): Promise<Map<string, Uint8Array>> => {
  const contents = await space.read(items.map(({ path }) => path))
  const isRight = ({ path, digest }: RemoteItem) => {
    const bytes = contents.get(path)
    return bytes !== undefined && sha256(bytes) === digest
  }
  if (!items.every(isRight)) throw new ChangedWhileRead()
  return contents
}

/** Writes settings into the manifest, as it is now; an editor may have saved it since the folder was read. */
export const writeManifest = async (
  disk: Disk,
  fields: Partial<SiteManifest>,
  settings: ReadonlyMap<string, Settings | null>,
): Promise<void> => {
  const text = (await disk.read(MANIFEST))?.toString() ?? null
  const before = parseManifest(text)
  const after = withSettings({ ...before, ...fields }, settings)
  if (text === null || !isDeepStrictEqual(after, before))
    await disk.write(MANIFEST, manifestBytes(after, text))
}

const prepare = async (
  { disk, memory, scan }: SiteFolder,
  { path, here }: Difference,
  item: RemoteItem | null,
  theirs: Uint8Array | null,
  taken: Set<string>,
): Promise<Step> => {
  const local = scan.items.get(path)
  const known = memory.items.get(path)
  const file = local?.file ?? known?.file ?? localPathOf(path, candidate => taken.has(folded(candidate)))
  taken.add(folded(file))
  const bytes = local ? await disk.read(local.file) : null
  const outcome = settle({
    path,
    isChangedHere: here !== null,
    mine: local && bytes ? { bytes, settings: local.settings } : null,
    theirs: item && theirs ? { bytes: theirs, settings: item.settings } : null,
    base: known ? { text: await memory.base(path), digest: known.digest, settings: known.settings } : null,
  })
  const step: Step = { path, file, item, outcome }
  if (theirs) {
    step.digest = digestOf(path, theirs)
    step.base = await memory.keep(path, theirs)
  }
  if (outcome.kind === 'taken' || outcome.kind === 'merged')
    step.staged = { temporary: await disk.stage(outcome.bytes), to: file }
  if (outcome.kind === 'conflict') {
    let number = 1
    while (taken.has(folded(theirsPath(file, number)))) number++
    const to = theirsPath(file, number)
    taken.add(folded(to))
    step.staged = { temporary: await disk.stage(outcome.theirs), to }
  }
  return step
}

const apply = async (
  { disk, memory, scan }: SiteFolder,
  { path, file, item, outcome, staged, digest, base }: Step,
  settings: Map<string, Settings | null>,
  pulled: Pulled,
): Promise<void> => {
  const local = scan.items.get(path)
  const now = await disk.read(file)
  // An editor may have saved since the folder was read. The next pull merges what it saved.
  if ((now === null ? undefined : sha256(now)) !== local?.exact) {
    pulled.left.push({ path, message: 'it was saved meanwhile; run space pull again', isSaved: true })
    return
  }
  if (staged) await disk.put(staged.temporary, staged.to)
  if (outcome.kind === 'deleted') await disk.remove(file)
  if (outcome.kind === 'taken' || outcome.kind === 'merged') {
    settings.set(path, outcome.settings)
    pulled[outcome.kind].push(path)
  } else if (outcome.kind === 'deleted') {
    settings.set(path, null)
    pulled.deleted.push(path)
  } else if (outcome.kind === 'conflict') pulled.conflicts.push({ path, theirs: staged!.to })
  // An interrupted pull may have deleted the file, but not its settings.
  else if (item === null) settings.set(path, null)
  if (item === null) memory.items.delete(path)
  else {
    const { version } = item
    memory.items.set(path, { version, digest: digest!, settings: item.settings, base: base ?? null, file })
  }
}
