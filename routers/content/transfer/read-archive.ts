import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type Entry, open, type ZipFile } from 'yauzl'
import type { Core } from '../../core/context.ts'
import { requireSpaceFor } from '../../core/limit.ts'
import { type FieldError, fieldErrors, invalid, Problem } from '../../core/problem.ts'
import { type CreationLimits, limits, rules } from '../../core/rules.ts'
import { NewRecord } from '../data/schema.ts'
import { NewFile } from '../files/schema.ts'
import { rebuildIcon } from '../icons/rebuild.ts'
import { NewPage } from '../pages/schema.ts'
import { NewPart } from '../parts/schema.ts'
import { ICON, isLitter, MANIFEST, Manifest } from './archive-format.ts'
import { MAX_TEXT } from './archive-size.ts'
import { type ArchivedBody, BodyReader, type Template } from './archived-body.ts'
import { bytesOf, chunksOf, jsonOf, textOf } from './read-entry.ts'

/** A file in an archive. Its bytes are read when they are needed. */
export interface ArchivedFile {
  /** The file's id in the space that was exported; null if it was added to the archive by hand. */
  id: string | null
  name: string
  size: number
  digest: Buffer
  read: () => Promise<Buffer>
}

/** The icon of a space in an archive: the digest of its bytes in the archive, and the image to store. */
interface ArchivedIcon {
  digest: Buffer
  png: Buffer
}

/** A page in an archive. The dates come from the exported page; a page that was added by hand has none. */
export interface ArchivedPage {
  slug: string
  kind: (typeof rules.page.kinds)[number]
  body: ArchivedBody
  created_at?: string | undefined
  updated_at?: string | undefined
}

/** The content of an archive, after validation. */
export interface Archive {
  /** The name of the exported space; undefined if the archive has none. */
  name: string | undefined
  /** The icon of the exported space; null if it had none, undefined if the archive does not say. */
  icon: ArchivedIcon | null | undefined
  /** The domain in the file addresses that the bodies contain. */
  filesDomain: string
  pages: ArchivedPage[]
  parts: (Template & { name: string })[]
  /** The values are JSON text. */
  records: { key: string; value: string; description: string | null }[]
  files: ArchivedFile[]
}

/** Maximum number of errors to list. */
const MAX_ERRORS = 50

/** Maximum sizes of the files in the root of an archive, in bytes. */
const MAX_BYTES: ReadonlyMap<string, number> = new Map([
  [MANIFEST, limits.archiveManifest],
  [ICON, limits.iconBytes],
])

const SYMLINK = 0o120_000
const FILE_TYPE = 0o170_000

const openZip = promisify<string, object, ZipFile>(open)

/**
 * Reads an archive and checks everything in it that can be checked without the space: paths, sizes (before
 * anything is decompressed) and the rules of every field.
 *
 * @param use works with the content while the archive is open
 * @throws `validation_failed` with an error for each path that breaks a rule; `limit_reached`, `parts_quota_exceeded`
 * or `data_quota_exceeded` for an archive that has more than any space can have
 */
export const withArchive = async <T>(
  file: string,
  core: Core,
  use: (archive: Archive) => Promise<T>,
): Promise<T> => {
  const zip = await openZip(file, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
    unreadable,
  )
  try {
    const entries = await listEntries(zip, core.creationLimits)
    return await use(await readContent(core, zip, entries))
  } finally {
    zip.close()
  }
}

const unreadable = (error: unknown): never => {
  throw invalid('$', `cannot be read as a zip archive: ${(error as Error).message}`)
}

/** Returns the entries by path, after checking their names and sizes. */
const listEntries = async (zip: ZipFile, max: CreationLimits): Promise<Map<string, Entry>> => {
  const count = max.pages + max.parts + max.files + rules.data.max_records + 1
  if (zip.entryCount > 2 * count) throw invalid('$', `has more than ${2 * count} entries`)
  const entries = new Map<string, Entry>()
  const folded = new Map<string, string>()
  const errors: FieldError[] = []
  /** Number and total size of the files in each folder. */
  const folders = new Map<string, { count: number; bytes: number }>()
  await forEachEntry(zip, entry => {
    const path = entry.fileName
    if (path.endsWith('/') || isLitter(path)) return
    const refuse = (message: string) => void errors.push({ field: path, message })
    const key = path.normalize('NFC').toLowerCase()
    const twin = folded.get(key)
    if (twin === path) return refuse('is in the archive twice')
    if (twin !== undefined)
      return refuse(`differs from ${twin} only in letter case or in how its characters are encoded`)
    folded.set(key, path)
    if (entry.isEncrypted()) return refuse('is encrypted')
    if (!entry.canDecodeFileData()) return refuse('has an unknown compression method')
    if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK) return refuse('is a link')
    const isFile = path.startsWith('files/')
    const limit = isFile ? rules.file.max_bytes : (MAX_BYTES.get(path) ?? MAX_TEXT)
    if (entry.uncompressedSize > limit) return refuse(`must be at most ${limit} bytes`)
    const folder = path.split('/', 1)[0]!
    const { count, bytes } = folders.get(folder) ?? NONE
    folders.set(folder, { count: count + 1, bytes: bytes + entry.uncompressedSize })
    entries.set(path, entry)
  })
  if ((folders.get('files') ?? NONE).bytes > rules.file.quota_bytes)
    errors.push({ field: 'files', message: `must be at most ${rules.file.quota_bytes} bytes in total` })
  throwIfAny(errors)
  requireFewEnough(folders, max)
  return entries
}

const NONE = { count: 0, bytes: 0 }

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
    requireSpaceFor(
      count > max[folder],
      `A space can have at most ${max[folder]} ${folder}; the archive has ${count}.`,
    )
  }
  const { total_max_length } = rules.part
  const { bytes } = folders.get('parts') ?? NONE
  // A character takes up to four bytes.
  if (bytes > 4 * total_max_length)
    throw new Problem('parts_quota_exceeded', {
      detail: `All parts together can have at most ${total_max_length} characters. The parts in the archive are larger: they have ${bytes} bytes.`,
    })
  const { max_records } = rules.data
  const { count } = folders.get('data') ?? NONE
  if (count > max_records)
    throw new Problem('data_quota_exceeded', {
      detail: `A space can have at most ${max_records} records; the archive has ${count}.`,
    })
}

const forEachEntry = (zip: ZipFile, visit: (entry: Entry) => void): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      visit(entry)
      zip.readEntry()
    })
    zip.readEntry()
  }).catch(unreadable)

const throwIfAny = (errors: FieldError[]) => {
  if (errors.length > 0) throw new Problem('validation_failed', { errors: errors.slice(0, MAX_ERRORS) })
}

/**
 * How many values a manifest can have: 4 for each page, and 2 for each record and file. This number is doubled,
 * because the manifest may also describe files that were removed from the archive.
 */
const maxManifestValues = ({ pages, files }: CreationLimits): number =>
  2 * (4 * pages + 2 * (files + rules.data.max_records)) + 100

const PATH =
  /^(?:(pages|parts)\/([^/]+)\.(?:liquid|html)|(data)\/([^/]+)\.json|(files)\/(?:([2-9a-z]{16})\/)?([^/]+))$/

/** A placeholder: the schemas require a subdomain, but validate the other fields independently of it. */
const subdomain = ''

const readContent = async (core: Core, zip: ZipFile, entries: Map<string, Entry>): Promise<Archive> => {
  const manifestEntry = entries.get(MANIFEST)
  if (!manifestEntry) throw invalid(MANIFEST, 'is missing')
  const parsed = Manifest.safeParse(await jsonOf(zip, manifestEntry, maxManifestValues(core.creationLimits)))
  if (!parsed.success)
    throw new Problem('validation_failed', {
      errors: fieldErrors(parsed.error).map(({ field, message }) => ({
        field: `${MANIFEST}: ${field}`,
        message,
      })),
    })
  const manifest = parsed.data
  const archive: Archive = {
    name: manifest.space?.name,
    icon: manifest.space?.has_icon === false ? null : undefined,
    filesDomain: manifest.files_domain ?? core.addresses.filesDomain,
    pages: [],
    parts: [],
    records: [],
    files: [],
  }
  const reader = new BodyReader(core, archive.filesDomain)
  const names = new Set<string>()
  const errors: FieldError[] = []
  for (const [path, entry] of entries) {
    if (path === MANIFEST) continue
    if (path === ICON) {
      archive.icon = await readIcon(zip, entry)
      continue
    }
    const match = PATH.exec(path)
    if (!match) {
      errors.push({ field: path, message: 'is not a file that an archive of a space can contain' })
      continue
    }
    const [, template, name = '', , key = '', , id = null, fileName = ''] = match
    const unique = template ? `${template}/${name}` : (id ?? path)
    if (names.has(unique))
      errors.push({
        field: path,
        message: template
          ? 'is in the archive as .html and as .liquid'
          : 'is in the same folder as another file; only one is allowed there',
      })
    names.add(unique)
    const check = <Value>(
      result: { success: true; data: Value } | { success: false; error: Parameters<typeof fieldErrors>[0] },
    ) => {
      if (result.success) return result.data
      for (const { field, message } of fieldErrors(result.error))
        errors.push({ field: path, message: `${field} ${message}` })
      return undefined
    }
    if (template === 'pages') {
      const { kind, ...dates } = manifest.pages[name] ?? {}
      const parse = async () =>
        NewPage.safeParse({ subdomain, slug: name, html: await textOf(zip, entry), ...(kind && { kind }) })
      const page = check(await parse())
      if (page) {
        const body = await reader.body(page.html, async () => (await parse()).data!.html)
        archive.pages.push({ slug: page.slug, kind: page.kind, body, ...dates })
      }
    } else if (template === 'parts') {
      const part = check(NewPart.safeParse({ subdomain, name, html: await textOf(zip, entry) }))
      if (part) archive.parts.push({ name, ...(await reader.template(part.html)) })
    } else if (key) {
      const value = await jsonOf(zip, entry, rules.data.value_max_bytes)
      const description = manifest.data[key]?.description ?? null
      const record = check(NewRecord.safeParse({ subdomain, key, value, description }))
      if (record) archive.records.push({ key, value: JSON.stringify(record.value), description })
    } else {
      const wanted = manifest.files[path]?.name ?? fileName
      const content = { content: 'x', encoding: 'text' }
      const file = check(NewFile.safeParse({ subdomain, name: wanted, ...content }))
      if (entry.uncompressedSize === 0) errors.push({ field: path, message: 'must not be empty' })
      if (file) archive.files.push(await readFile(zip, entry, id, file.name))
    }
    if (errors.length >= MAX_ERRORS) break
  }
  throwIfAny(errors)
  return archive
}

/** @throws `validation_failed` when the image is not a valid icon */
const readIcon = async (zip: ZipFile, entry: Entry): Promise<ArchivedIcon> => {
  const bytes = await bytesOf(zip, entry)
  const result = await rebuildIcon(bytes)
  if ('fault' in result) throw invalid(ICON, result.fault)
  return { digest: createHash('sha256').update(bytes).digest(), png: result.png }
}

const readFile = async (
  zip: ZipFile,
  entry: Entry,
  id: string | null,
  name: string,
): Promise<ArchivedFile> => {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunksOf(zip, entry)) {
    hash.update(chunk)
    size += chunk.length
  }
  return { id, name, size, digest: hash.digest(), read: () => bytesOf(zip, entry) }
}
