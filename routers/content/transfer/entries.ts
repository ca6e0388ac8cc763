import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, open, type ZipFile } from 'yauzl'
import { JsonShape, MAX_DEPTH } from '../../api/json-shape.ts'
import { type FieldError, invalid, Problem, unavailable } from '../../api/problem.ts'
import { type CreationLimits, limits, rules } from '../../api/rules.ts'
import { checkRecords, refuseTooMany } from '../limits.ts'
import { ICON, MANIFEST, MAX_NAMES, MAX_TEXT } from './archive-format.ts'
import { isLitter } from './portable-names.ts'

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

/** The bit of an entry's flags that says that its name is UTF-8. */
const IS_UTF8 = 0x800

const NAME_TEXT = new TextDecoder('utf-8', { fatal: true })

const isUtf8 = (name: Buffer): boolean => {
  try {
    NAME_TEXT.decode(name)
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

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Removes a byte order mark, which Windows programs write before JSON. */
const JSON_TEXT = new TextDecoder('utf-8', { fatal: true })

/** A file in a zip archive. Each method reads it again. */
export class ArchiveEntry {
  readonly path: string
  readonly #zip: ZipFile
  readonly #entry: Entry
  readonly #signal: AbortSignal | undefined

  /** @param signal aborts when the caller has closed the connection; reading then fails with `unavailable` */
  constructor(zip: ZipFile, entry: Entry, path: string, signal: AbortSignal | undefined) {
    this.path = path
    this.#zip = zip
    this.#entry = entry
    this.#signal = signal
  }

  /** Size of the content in bytes, as the archive declares it. Reading fails if this is wrong. */
  get size(): number {
    return this.#entry.uncompressedSize
  }

  /**
   * Yields the content and verifies its checksum. The library verifies only the size.
   *
   * @throws `validation_failed` when the content is damaged
   */
  async *chunks(): AsyncGenerator<Buffer> {
    requireCaller(this.#signal)
    let checksum = 0
    try {
      const stream = await promisify<Entry, Readable>(this.#zip.openReadStream.bind(this.#zip))(this.#entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    } catch {
      throw invalid(this.path, 'is damaged')
    }
    if (checksum !== this.#entry.crc32) throw invalid(this.path, 'does not match its checksum')
  }

  /** Reads the whole content. @throws `validation_failed` when it is damaged */
  async bytes(): Promise<Buffer> {
    const bytes = Buffer.alloc(this.size)
    let size = 0
    for await (const chunk of this.chunks()) size += chunk.copy(bytes, size)
    return bytes
  }

  /** Reads the content as text. @throws `validation_failed` when it is damaged or not UTF-8 */
  async text(): Promise<string> {
    return this.#decoded(await this.bytes(), UTF8)
  }

  #decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): string {
    try {
      return decoder.decode(bytes)
    } catch {
      throw invalid(this.path, 'must be UTF-8')
    }
  }

  /**
   * Reads and parses JSON. Measures the JSON while it is read: a few kilobytes of an archive can expand to millions of
   * values, and parsing those would block other requests for seconds.
   *
   * @param maxValues roughly how many values the file can have
   * @throws `validation_failed`
   */
  async json(maxValues: number): Promise<unknown> {
    const shape = new JsonShape(Number.POSITIVE_INFINITY)
    const bytes = Buffer.alloc(this.size)
    let size = 0
    for await (const chunk of this.chunks()) {
      const start = size
      size += chunk.copy(bytes, start)
      shape.read(bytes.subarray(0, size), start)
      if (shape.depth > MAX_DEPTH) throw invalid(this.path, `is nested deeper than ${MAX_DEPTH} levels`)
      if (shape.values > maxValues) throw invalid(this.path, `has more than ${maxValues} values`)
    }
    const text = this.#decoded(bytes, JSON_TEXT)
    try {
      return JSON.parse(text)
    } catch {
      throw invalid(this.path, 'must be JSON')
    }
  }
}

/** The error that ends work whose result nobody would receive. */
export const callerGone = () => unavailable('The caller has closed the connection.')

/** @throws `unavailable` once the caller has closed the connection */
export const requireCaller = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw callerGone()
}
