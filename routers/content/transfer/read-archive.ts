import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { digestOfBody } from '../../../db/queries/items.ts'
import { type FieldError, fieldErrors, invalid, Problem } from '../../api/problem.ts'
import { type CreationLimits, limits, rules } from '../../api/rules.ts'
import { NewRecord } from '../data/schema.ts'
import { NewFile } from '../files/schema.ts'
import { rebuildIcon } from '../icons/rebuild.ts'
import { type BodyAuthor, includesOf } from '../includes.ts'
import { NewPage, type PageFields } from '../pages/schema.ts'
import { NewPart } from '../parts/schema.ts'
import { ICON, MANIFEST, Manifest } from './archive-format.ts'
import { ArchiveEntry, listEntries, MAX_ERRORS, openZip, throwIfAny } from './entries.ts'

/** A file in an archive. Its bytes are read when they are needed. */
export interface ArchivedFile {
  /** The path in the archive. */
  path: string
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
export interface ArchivedPage extends Omit<z.output<typeof PageFields>, 'html'> {
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
  /** See {@link Manifest}. */
  changes: Manifest['changes']
}

/**
 * Reads an archive and checks everything in it that can be checked without the space: paths, sizes (before
 * anything is decompressed) and the rules of every field.
 *
 * @param signal aborts when the caller has closed the connection
 * @param use works with the content while the archive is open
 * @throws `validation_failed` with an error for each path that breaks a rule; `limit_reached`, `parts_quota_exceeded`
 * or `data_quota_exceeded` for an archive that has more than any space can have; `unavailable` after an abort
 */
export const withArchive = async <T>(
  file: string,
  { core, accountId }: BodyAuthor,
  signal: AbortSignal | undefined,
  use: (archive: Archive) => Promise<T>,
): Promise<T> => {
  const zip = await openZip(file)
  try {
    const entries = await listEntries(zip, core.creationLimits)
    const files = new Map(
      entries.entries().map(([path, entry]) => [path, new ArchiveEntry(zip, entry, path, signal)]),
    )
    return await use(await readContent({ core, accountId }, files))
  } finally {
    zip.close()
  }
}

/**
 * How many values a manifest can have: 4 for each page, 2 for each record and file, and one for each change. This number
 * is doubled, because the manifest may also describe files that were removed from the archive.
 */
const maxManifestValues = ({ pages, parts, files }: CreationLimits): number =>
  2 * (5 * pages + parts + 3 * (files + rules.data.max_records)) + 100

const PATH =
  /^(?:(pages|parts)\/([^/]+)\.(?:liquid|html)|(data)\/([^/]+)\.json|(files)\/(?:([2-9a-z]{16})\/)?([^/]+))$/

let lastRead: Promise<unknown> = Promise.resolve()

/** Reads manifests one after the other, because parsing takes several times the size of a manifest. */
const oneAtATime = <T>(read: () => Promise<T>): Promise<T> => {
  const result = lastRead.then(read)
  lastRead = result.catch(() => {})
  return result
}

const readManifest = async (entry: ArchiveEntry, max: CreationLimits): Promise<Manifest> => {
  const parsed = Manifest.safeParse(await entry.json(maxManifestValues(max)))
  if (parsed.success) return parsed.data
  throw new Problem('validation_failed', {
    errors: fieldErrors(parsed.error).map(({ field, message }) => ({
      field: `${MANIFEST}: ${field}`,
      message,
    })),
  })
}

/** A placeholder: the schemas require a subdomain, but validate the other fields independently of it. */
const subdomain = ''

const readContent = async (
  importer: BodyAuthor,
  entries: ReadonlyMap<string, ArchiveEntry>,
): Promise<Archive> => {
  const { core } = importer
  const manifestEntry = entries.get(MANIFEST)
  if (!manifestEntry) throw invalid(MANIFEST, 'is missing')
  const manifest = await oneAtATime(() => readManifest(manifestEntry, core.creationLimits))
  const fileNames = new Map(
    Object.entries(manifest.files).map(([path, { name }]) => [path.normalize('NFC'), name]),
  )
  const archive: Archive = {
    name: manifest.space?.name,
    icon: manifest.space?.has_icon === false ? null : undefined,
    filesDomain: manifest.files_domain ?? core.addresses.filesDomain,
    pages: [],
    parts: [],
    records: [],
    files: [],
    changes: manifest.changes,
  }
  const reader = new BodyReader(importer, archive.filesDomain)
  const names = new Set<string>()
  const errors: FieldError[] = []
  for (const [path, entry] of entries) {
    if (path === MANIFEST) continue
    if (path === ICON) {
      archive.icon = await readIcon(entry)
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
      const { created_at, updated_at, ...settings } = manifest.pages[name] ?? {}
      const parse = async () =>
        NewPage.safeParse({ subdomain, slug: name, html: await entry.text(), ...settings })
      const page = check(await parse())
      if (page) {
        const { subdomain: _, html, ...fields } = page
        const body = await reader.body(html, async () => (await parse()).data!.html)
        archive.pages.push({ ...fields, body, created_at, updated_at })
      }
    } else if (template === 'parts') {
      const part = check(NewPart.safeParse({ subdomain, name, html: await entry.text() }))
      if (part) archive.parts.push({ name, ...(await reader.template(part.html)) })
    } else if (key) {
      const value = await entry.json(rules.data.value_max_bytes)
      const description = manifest.data[key]?.description ?? null
      const record = check(NewRecord.safeParse({ subdomain, key, value, description }))
      if (record) archive.records.push({ key, value: JSON.stringify(record.value), description })
    } else {
      const wanted = fileNames.get(path.normalize('NFC')) ?? fileName
      const content = { content: 'x', encoding: 'text' }
      const file = check(NewFile.safeParse({ subdomain, name: wanted, ...content }))
      if (entry.size === 0) errors.push({ field: path, message: 'must not be empty' })
      if (file) archive.files.push(await readFile(entry, id, file.name))
    }
    if (errors.length >= MAX_ERRORS) break
  }
  throwIfAny(errors)
  return archive
}

/** @throws `validation_failed` when the image is not a valid icon */
const readIcon = async (entry: ArchiveEntry): Promise<ArchivedIcon> => {
  const bytes = await entry.bytes()
  const result = await rebuildIcon(bytes)
  if ('fault' in result) throw invalid(ICON, result.fault)
  return { digest: createHash('sha256').update(bytes).digest(), png: result.png }
}

const readFile = async (entry: ArchiveEntry, id: string | null, name: string): Promise<ArchivedFile> => {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of entry.chunks()) {
    hash.update(chunk)
    size += chunk.length
  }
  return { path: entry.path, id, name, size, digest: hash.digest(), read: () => entry.bytes() }
}

/** A body with the parts that it includes by literal name. */
export interface Template {
  html: string
  includes: string[]
}

/** The body of a page in an archive. All bodies together can be larger than the memory. */
export interface ArchivedBody {
  /** SHA-256 of the body. */
  digest: Buffer
  /** Whether the body contains the domain that serves files. */
  hasAddress: boolean
  load: () => Promise<Template>
}

/** Reads bodies and keeps the first ones in memory; later ones are read and analyzed again when they are needed. */
export class BodyReader {
  readonly #author: BodyAuthor
  readonly #domain: string
  #capacity: number = limits.archiveMemory

  /** @param domain the domain that file addresses in the bodies have */
  constructor(author: BodyAuthor, domain: string) {
    this.#author = author
    this.#domain = domain
  }

  /** @param read returns the body each time it is called */
  async body(html: string, read: () => Promise<string>): Promise<ArchivedBody> {
    const template = await this.template(html)
    // Two bytes for each character, because one character that is not Latin-1 doubles the size of its string.
    const size = template.includes.reduce((sum, name) => sum + name.length + POINTER, 2 * html.length)
    const isKept = size <= this.#capacity
    if (isKept) this.#capacity -= size
    return {
      digest: digestOfBody(html),
      hasAddress: html.includes(`.${this.#domain}`),
      load: isKept ? keeping(template) : this.#rereading(read),
    }
  }

  // The functions below are not written inside `body`: all functions of one scope share its variables, so the function
  // that reads a body again would keep the body in memory.

  #rereading(read: () => Promise<string>): () => Promise<Template> {
    return async () => this.template(await read())
  }

  async template(html: string): Promise<Template> {
    return { html, includes: await includesOf(this.#author, html) }
  }
}

const keeping = (template: Template) => async () => template

/** Memory that a short string takes in addition to its characters, in bytes. */
const POINTER = 32
