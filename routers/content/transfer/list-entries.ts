import { promisify } from 'node:util'
import { type Entry, open, type ZipFile } from 'yauzl'
import { type FieldError, invalid, Problem } from '../../core/problem.ts'
import { type CreationLimits, limits, rules } from '../../core/rules.ts'
import { checkRecords, refuseTooMany } from '../limits.ts'
import { ICON, MANIFEST, MAX_NAMES, MAX_TEXT } from './archive-format.ts'
import { faultOf, findFiles, type NamedEntry, named } from './entry-paths.ts'

/** Maximum number of errors to list. */
export const MAX_ERRORS = 50

/** Maximum sizes of the files in the root of an archive, in bytes. */
const MAX_BYTES: ReadonlyMap<string, number> = new Map([
  [MANIFEST, limits.archiveManifest],
  [ICON, limits.iconBytes],
])

const SYMLINK = 0o120_000
const FILE_TYPE = 0o170_000

const openFile = promisify<string, object, ZipFile>(open)

/** Opens an archive. Read its entries with {@link listEntries}. @throws `validation_failed` if it is no zip archive */
export const openZip = (file: string): Promise<ZipFile> =>
  openFile(file, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(() => {
    throw invalid('$', 'is not a zip archive, has not arrived completely, or is one of several parts')
  })

/**
 * Returns the files of an archive by path, after checking their names and sizes. Nothing is decompressed.
 *
 * @throws `validation_failed`, and the errors of {@link requireFewEnough}
 */
export const listEntries = async (zip: ZipFile, max: CreationLimits): Promise<Map<string, Entry>> => {
  const errors: FieldError[] = []
  const entries = new Map<string, Entry>()
  const folded = new Map<string, string>()
  /** Number and total size of the files in each folder. */
  const folders = new Map<string, { count: number; bytes: number }>()
  for (const { path, entry } of findFiles(await readDirectory(zip, max))) {
    const key = path.normalize('NFC').toLowerCase()
    const twin = folded.get(key)
    folded.set(key, path)
    const fault = faultOf(path) ?? faultOfTwin(path, twin) ?? faultOfEntry(path, entry)
    if (fault !== undefined) {
      errors.push({ field: path, message: fault })
      continue
    }
    const folder = path.split('/', 1)[0]!
    const { count, bytes } = folders.get(folder) ?? NONE
    folders.set(folder, { count: count + 1, bytes: bytes + entry.uncompressedSize })
    entries.set(path, entry)
  }
  if ((folders.get('files') ?? NONE).bytes > rules.file.quota_bytes)
    errors.push({ field: 'files', message: `must be at most ${rules.file.quota_bytes} bytes in total` })
  throwIfAny(errors)
  requireFewEnough(folders, max)
  return entries
}

const NONE = { count: 0, bytes: 0 }

/** @param twin the earlier path that is equal, apart from letter case and the encoding of its characters */
const faultOfTwin = (path: string, twin: string | undefined): string | undefined => {
  if (twin === undefined) return undefined
  if (twin === path) return 'is in the archive twice'
  return `differs from ${twin} only in letter case or in how its characters are encoded`
}

const faultOfEntry = (path: string, entry: Entry): string | undefined => {
  if (entry.isEncrypted()) return 'is encrypted'
  if (!entry.canDecodeFileData()) return 'has an unknown compression method'
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK) return 'is a link'
  const limit = path.startsWith('files/') ? rules.file.max_bytes : (MAX_BYTES.get(path) ?? MAX_TEXT)
  return entry.uncompressedSize > limit ? `must be at most ${limit} bytes` : undefined
}

/** Reads the list of all entries. @throws `validation_failed` if it is damaged, or too long to keep in memory */
const readDirectory = async (zip: ZipFile, max: CreationLimits): Promise<NamedEntry[]> => {
  const count = 2 * (max.pages + max.parts + max.files + rules.data.max_records + 1)
  if (zip.entryCount > count) throw invalid('$', `has more than ${count} entries`)
  const entries: NamedEntry[] = []
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    zip.on('error', () =>
      reject(invalid('$', 'is damaged, or encrypted in a way that also encrypts the names of its files')),
    )
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      bytes += entry.fileNameLength + entry.extraFieldLength
      if (bytes > MAX_NAMES) return reject(invalid('$', 'has file names that are too long in total'))
      entries.push(named(entry))
      zip.readEntry()
    })
    zip.readEntry()
  })
  return entries
}

/**
 * Refuses an archive with more items, or larger parts, than a space can have. Runs before anything in the archive is
 * decompressed. The texts of an archive therefore never take more memory than the texts of a full space.
 *
 * @throws `limit_reached`, `parts_quota_exceeded`, `data_quota_exceeded`
 */
const requireFewEnough = (
  folders: ReadonlyMap<string, { count: number; bytes: number }>,
  max: CreationLimits,
): void => {
  for (const folder of ['pages', 'parts', 'files'] as const) {
    const { count } = folders.get(folder) ?? NONE
    refuseTooMany(count > max[folder], folder, max, count)
  }
  const { total_max_length } = rules.part
  const { bytes } = folders.get('parts') ?? NONE
  // A character takes up to four bytes.
  if (bytes > 4 * total_max_length)
    throw new Problem('parts_quota_exceeded', {
      detail: `All parts together can have at most ${total_max_length} characters. The parts in the archive are larger: they have ${bytes} bytes.`,
    })
  checkRecords((folders.get('data') ?? NONE).count, 0)
}

/** @throws `validation_failed` with the first of these errors */
export const throwIfAny = (errors: FieldError[]) => {
  if (errors.length > 0) throw new Problem('validation_failed', { errors: errors.slice(0, MAX_ERRORS) })
}
