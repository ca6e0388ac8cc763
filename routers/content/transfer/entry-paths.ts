import { type Entry, getFileNameLowLevel } from 'yauzl'
import { isLitter, MANIFEST } from './archive-format.ts'

/** The bit of an entry's flags that says that its name is UTF-8. */
const IS_UTF8 = 0x800

const UTF8 = new TextDecoder('utf-8', { fatal: true })

const isUtf8 = (name: Buffer): boolean => {
  try {
    UTF8.decode(name)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the path of an entry. The zip program of Linux and macOS, and the Finder, write UTF-8 without saying so, and
 * some programs for Windows write backslashes. Names that are not UTF-8 have the encoding of MS-DOS, as the format says.
 */
const pathOf = ({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(
    isUtf8(fileNameRaw) ? flags | IS_UTF8 : flags & ~IS_UTF8,
    fileNameRaw,
    extraFields,
    false,
  ).replace(/^(?:\.\/+)+/, '')

/** The folder that contains everything: the part of a path before the first slash. */
const topOf = (path: string) => path.slice(0, path.indexOf('/') + 1)

/** Matches the path of a hidden file, or of a file in a hidden folder. */
const HIDDEN = /(?:^|\/)\./

/** An entry of an archive with its path. */
export interface NamedEntry {
  path: string
  entry: Entry
}

/**
 * Returns an entry with its path, and without the other copies of its name and without its comments, so that an archive
 * of many entries takes little memory.
 */
export const named = (entry: Entry): NamedEntry => {
  const path = pathOf(entry)
  const empty = Buffer.alloc(0)
  Object.assign(entry, { fileName: '', fileComment: '', comment: '', extraFields: [] })
  Object.assign(entry, { fileNameRaw: empty, extraFieldRaw: empty, fileCommentRaw: empty })
  return { path, entry }
}

/**
 * Finds the files of an archive that was put together with any program. Leaves out folders, and files that operating
 * systems, file managers and editors add: see {@link isLitter}, hidden files outside of `files/`, and the `._NAME`
 * with which macOS accompanies a file or folder called NAME. If everything is in one folder, as in an archive of a
 * folder, removes that folder from the paths.
 *
 * @returns the entries, in order. A path can occur twice
 */
export const findFiles = (entries: readonly NamedEntry[]): NamedEntry[] => {
  let files = entries.filter(({ path }) => path !== '' && !path.endsWith('/') && !isLitter(path))
  for (;;) {
    const visible = files.filter(({ path }) => !/^\.(?!\.\/)/.test(path))
    const top = topOf(visible[0]?.path ?? '')
    const isWrapped =
      top !== '' &&
      visible.every(({ path }) => path.startsWith(top)) &&
      // Without a manifest inside, the folder is one of the archive's own, and the manifest is missing.
      visible.some(({ path }) => path.endsWith(`/${MANIFEST}`))
    if (!isWrapped) break
    files = visible.map(({ path, entry }) => ({ path: path.slice(top.length), entry }))
  }
  const existing = new Set(files.flatMap(({ path }) => [path, folderOf(path)]))
  return files.filter(({ path }) => {
    const companion = /^(.*\/)?\._([^/]+)$/s.exec(path)
    if (companion && existing.has((companion[1] ?? '') + companion[2])) return false
    return path.startsWith('files/') || !HIDDEN.test(path) || faultOf(path) !== undefined
  })
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Returns what is wrong with a path, if it could lead out of the archive. */
export const faultOf = (path: string): string | undefined => {
  if (/^(?:\/|[a-zA-Z]:)/.test(path)) return 'must not be an absolute path'
  if (path.split('/').includes('..')) return 'must not contain ..'
  return undefined
}
