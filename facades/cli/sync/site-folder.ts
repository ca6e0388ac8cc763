import { Failure } from '../failure.ts'
import { Disk } from '../folder/disk.ts'
import { MANIFEST, parseManifest, type SiteManifest } from '../folder/manifest.ts'
import { Memory } from '../folder/memory.ts'
import { isItemPath } from '../folder/paths.ts'
import { type Problem, type Scan, scanFolder } from '../folder/scan.ts'
import type { Listing, RemoteItem, Space } from '../service/space.ts'
import { compare, type Difference } from './compare.ts'

/** The folder of a site, as it is now, and what it remembers. */
export interface SiteFolder {
  disk: Disk
  memory: Memory
  scan: Scan
  manifest: SiteManifest
}

/** Reads the folder of a site. @throws {Failure} */
export const openSiteFolder = async (
  root: string,
  address: string,
  before?: (step: string) => void,
): Promise<SiteFolder> => {
  const disk = new Disk(root, before)
  const memory = await Memory.open(disk, address)
  const manifest = parseManifest((await disk.read(MANIFEST))?.toString() ?? null)
  const scan = await scanFolder(root, memory.items, manifest)
  return { disk, memory, scan, manifest }
}

/** What differs between a folder and a space. */
export interface Status {
  differences: Difference[]
  /** Conflicts that the person has not settled, with the files that have the other version. */
  unsettled: { path: string; files: string[] }[]
  problems: Problem[]
}

/** The items of a listing by path. */
export const itemsOf = (listing: Listing): Map<string, RemoteItem> =>
  new Map(listing.items.map(item => [item.path.normalize('NFC'), item]))

/** Compares a folder with the space. */
export const statusOf = ({ scan, memory }: SiteFolder, remote: ReadonlyMap<string, RemoteItem>): Status => {
  const faulty = [...scan.items.values()].flatMap(({ file, fault }) =>
    fault === undefined ? [] : [{ path: file, message: fault }],
  )
  return {
    differences: compare(scan.items, memory.items, remote),
    unsettled: [...scan.unsettled].map(([path, files]) => ({ path, files })),
    problems: [...scan.problems, ...faulty],
  }
}

/** Maximum total size and number of the items of one request. */
const BATCH_BYTES = 33_554_432
const BATCH_ITEMS = 1_000

/** The size for which a text counts, whose size the listing does not have. */
const TYPICAL_TEXT = 65_536

/** Divides items into groups, so that a large space does not have to fit into memory. */
export const batches = (items: readonly RemoteItem[]): RemoteItem[][] => {
  const groups: RemoteItem[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of items) {
    const itemSize = item.size ?? TYPICAL_TEXT
    if (size + itemSize > BATCH_BYTES || groups.at(-1)!.length === BATCH_ITEMS) {
      groups.push([])
      size = 0
    }
    groups.at(-1)!.push(item)
    size += itemSize
  }
  return groups
}

/** Reads the listing with a space whose content it could then read. */
export const listed = async (
  space: Space,
): Promise<{ listing: Listing; remote: Map<string, RemoteItem> }> => {
  const listing = await space.list()
  const remote = itemsOf(listing)
  const strange = [...remote.keys()].find(path => !isItemPath(path))
  if (strange !== undefined)
    throw new Failure(`The space has an item "${strange}", which is no path in a site.`)
  if (remote.size < listing.items.length)
    throw new Failure('Two files of the space have the same path; rename one of them in the dashboard.')
  return { listing, remote }
}
