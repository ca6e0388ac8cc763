import { type Dirent, readFileSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../failure.ts'
import { digestOf, faultOfContent, type Settings, sha256 } from './content.ts'
import { type IsLeftOut, leftOutBy } from './ignore.ts'
import { type SiteManifest, settingsIn } from './manifest.ts'
import { CONTENT_FOLDERS, faultOfPath, folded, ICON, isText, pathOfTheirs } from './paths.ts'

/** An item of the folder. */
export interface LocalItem {
  /** The path in an archive; the key of the item. */
  path: string
  /** The path of its file in the folder. It differs if a file system would not take the name, and for `.html`. */
  file: string
  size: number
  /** See {@link digestOf}. */
  digest: string
  /** SHA-256 of the bytes. */
  exact: string
  settings: Settings
  /** Why the service would not take it. */
  fault?: string
}

/** What a scan finds out about the bytes of a file. */
export type Inspected = Pick<LocalItem, 'size' | 'digest' | 'exact' | 'fault'>

/** Something in the folder that cannot be part of the site. */
export interface Problem {
  path: string
  message: string
}

/** What is in the folder. */
export interface Scan {
  items: Map<string, LocalItem>
  problems: Problem[]
  /** Versions of the other side that lie in the folder until the person has settled them: their files, by path. */
  unsettled: Map<string, string[]>
  /** Every path that is in use, as file systems compare them. */
  taken: Set<string>
}

/** What the folder knows of an item from the last sync. */
interface KnownItem {
  file: string
  settings: Settings
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/**
 * Reads a folder. An item that is known is never left out, whatever its name, so that it does not count as deleted.
 *
 * @param known the items of the last sync, by path
 * @param inspect finds out about the bytes of a file, given the path of the item too; null if the file is gone
 * @throws {Failure} if one of the folders of the site is a symbolic link, which could lead out of the folder
 */
export const scanFolder = async (
  root: string,
  known: ReadonlyMap<string, KnownItem>,
  manifest: SiteManifest,
  inspect: (file: string, item: string) => Inspected | null = (file, item) => inspected(root, file, item),
): Promise<Scan> => {
  const isLeftOut = leftOutBy(await readText(path.join(root, '.spaceignore')))
  const pathOf = new Map([...known].map(([item, { file }]) => [file.normalize('NFC'), item]))
  const scan: Scan = { items: new Map(), problems: [], unsettled: new Map(), taken: new Set() }
  for (const folder of CONTENT_FOLDERS) {
    const state = await lstat(path.join(root, folder)).catch(() => null)
    if (state === null) continue
    if (!state.isDirectory())
      throw new Failure(`${folder} is not a folder, so nothing is read or written there.`)
    for (const found of await findFiles(root, folder, isLeftOut, pathOf, scan.problems))
      add(found, pathOf, known, manifest, scan, inspect)
  }
  for (const found of await findFiles(root, '', isLeftOut, pathOf, scan.problems))
    add(found, pathOf, known, manifest, scan, inspect)
  return scan
}

interface Found {
  file: string
  entry: Dirent
}

const IDS = /^files\/[2-9a-z]{16}$/

/** Lists what is in a folder of the site, without what is left out; of the site itself, only the icon. */
const findFiles = async (
  root: string,
  folder: string,
  isLeftOut: IsLeftOut,
  pathOf: ReadonlyMap<string, string>,
  problems: Problem[],
): Promise<Found[]> => {
  const found: Found[] = []
  const all = await readdir(path.join(root, folder), { withFileTypes: true })
  const entries = folder === '' ? all.filter(({ name }) => isIcon(name)) : all
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const file = path.posix.join(folder, entry.name)
    const isKnown = pathOf.has(file.normalize('NFC'))
    if (!isKnown && isLeftOut(file)) continue
    if (entry.isDirectory() && IDS.test(file))
      found.push(...(await findFiles(root, file, isLeftOut, pathOf, problems)))
    else if (entry.isDirectory())
      problems.push({ path: file, message: faultOfPath(`${file}/`) ?? 'is a folder' })
    else if (entry.isFile()) found.push({ file, entry })
    else if (isKnown) problems.push({ path: file, message: 'this is a symbolic link' })
  }
  return found
}

/** Whether a file beside the folders is the icon, or the other side's version of it. */
const isIcon = (name: string): boolean => name === ICON || pathOfTheirs(name) === ICON

/** Reads a file at once: a command has nothing else to do, and a thread for each of many small files takes longer. */
const readIfThere = (file: string): Buffer | null => {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

const inspected = (root: string, file: string, item: string): Inspected | null => {
  const bytes = readIfThere(path.join(root, file))
  if (bytes === null) return null
  const exact = sha256(bytes)
  const fault = faultOfContent(item, bytes)
  return {
    size: bytes.length,
    digest: isText(item) ? digestOf(item, bytes) : exact,
    exact,
    ...(fault === undefined ? {} : { fault }),
  }
}

const add = (
  { file }: Found,
  pathOf: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, KnownItem>,
  manifest: SiteManifest,
  scan: Scan,
  inspect: (file: string, item: string) => Inspected | null,
): void => {
  const { items, problems, unsettled, taken } = scan
  const twin = taken.has(folded(file))
  taken.add(folded(file))
  const normal = file.normalize('NFC')
  const settled = pathOf.has(normal) ? null : pathOfTheirs(normal.replace(/\.html$/, '.liquid'))
  if (settled !== null) {
    unsettled.set(settled, [...(unsettled.get(settled) ?? []), file])
    return
  }
  const item = pathOf.get(normal) ?? normal.replace(/^((?:pages|parts)\/.*)\.html$/, '$1.liquid')
  const fault = known.has(item) ? undefined : faultOfPath(item)
  if (fault !== undefined) problems.push({ path: file, message: fault })
  else if (items.has(item)) problems.push({ path: file, message: 'it is here as .html and as .liquid' })
  else if (twin)
    problems.push({ path: file, message: 'another name here differs only in letter case or Unicode form' })
  else {
    const found = inspect(file, item)
    if (found === null) return
    items.set(item, {
      ...found,
      path: item,
      file,
      settings: settingsIn(manifest, item, known.get(item)?.settings),
    })
  }
}
