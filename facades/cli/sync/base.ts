import { isDeepStrictEqual } from 'node:util'
import { digestOf, possibleDigests, type Settings } from '../folder/content.ts'
import { filesOfCommit } from '../folder/git.ts'
import { MANIFEST, parseManifest, settingsIn } from '../folder/manifest.ts'
import { CONTENT_FOLDERS, faultOfPath, ICON, pathOfTheirs } from '../folder/paths.ts'
import type { RemoteItem } from '../service/space.ts'
import type { SiteFolder } from './site-folder.ts'

/** What git stores in place of a file that is kept with Git LFS; the file itself is in the folder. */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/

/**
 * Makes a folder remember a commit as its last sync, for a fresh checkout, which remembers nothing. What the space has as it
 * was in the commit counts as unchanged there, and everything else as changed. What the folder and the space have alike is
 * in sync, whatever the commit had.
 *
 * The folder has to be read again afterwards, because what it remembers says what its files are.
 *
 * @throws {Failure} if git cannot read the commit
 */
export const rememberCommit = async (
  { memory, scan, disk }: SiteFolder,
  remote: ReadonlyMap<string, RemoteItem>,
  commit: string,
): Promise<void> => {
  memory.items.clear()
  const { root } = disk
  let text: string | null = null
  for await (const { bytes } of filesOfCommit(root, commit, [MANIFEST])) text = bytes.toString()
  const manifest = parseManifest(text)
  for await (const { file, bytes } of filesOfCommit(root, commit, [...CONTENT_FOLDERS, ICON])) {
    const path = file.normalize('NFC').replace(/^((?:pages|parts)\/.*)\.html$/, '$1.liquid')
    const item = remote.get(path)
    if (faultOfPath(path) !== undefined || (!item && pathOfTheirs(path) !== null)) continue
    const settings = settingsIn(manifest, path, item?.settings)
    const pointed = bytes.length < 1024 ? LFS_POINTER.exec(bytes.toString())?.[1] : undefined
    const digests = pointed === undefined ? possibleDigests(path, bytes) : [pointed]
    const isSame = item && digests.includes(item.digest) && isEqual(settings, item.settings)
    memory.items.set(path, {
      // No version is equal to the question mark.
      version: isSame ? item.version : '?',
      digest: pointed ?? digestOf(path, bytes),
      settings,
      base: pointed === undefined ? await memory.keep(path, bytes) : null,
      file,
    })
  }
  for (const [path, { file, settings }] of scan.items) {
    const item = remote.get(path)
    if (!item || memory.items.get(path)?.version === item.version) continue
    const bytes = await disk.read(file)
    const now = { ...item.settings, ...settings }
    if (!bytes || !possibleDigests(path, bytes).includes(item.digest) || !isEqual(now, item.settings))
      continue
    memory.items.set(path, {
      version: item.version,
      digest: digestOf(path, bytes),
      settings: item.settings,
      base: await memory.keep(path, bytes),
      file,
    })
  }
  await memory.save()
}

const isEqual = (one: Settings, other: Settings): boolean => isDeepStrictEqual({ ...one }, { ...other })
