import { lstatSync, readFileSync, type Stats } from 'node:fs'
import path from 'node:path'
import { limits, rules } from '../../../routers/api/rules.ts'
import { contentTypeOf } from '../../../routers/content/files/content-type.ts'
import { checkJson } from '../../shared/check-json.ts'
import { decoded, faultOfContent } from '../folder/content.ts'
import { Disk } from '../folder/disk.ts'
import { MANIFEST, parseManifest, type SiteManifest } from '../folder/manifest.ts'
import { Memory } from '../folder/memory.ts'
import { ICON, isText, kindOf, nameOf } from '../folder/paths.ts'
import { type Inspected, type LocalItem, scanFolder } from '../folder/scan.ts'
import type { SpaceAddress } from '../service/address.ts'
import { type Finding, positionAt } from './finding.ts'

/** A file of the folder that a site can have. */
export interface Local {
  /** The path in an archive. */
  path: string
  /** The path in the folder. */
  file: string
  changedAt: Date
  createdAt: Date
}

/** A page, part or record: its slug, name or key, and its text. */
export interface LocalText extends Local {
  name: string
  /** The text of the file. */
  text: string
  /** The text as the service stores it: a template without white space around it, or JSON without white space. */
  body: string
}

export interface LocalPage extends LocalText {
  kind: 'scripted' | 'static'
}

export interface LocalFile extends Local {
  name: string
  contentType: string
  size: number
}

/** The site in a folder, as it would be in its space after a push. */
export interface LocalSite {
  subdomain: string
  name: string
  /** By slug, name and key, in the order in which templates get them. */
  pages: LocalPage[]
  parts: LocalText[]
  records: LocalText[]
  files: LocalFile[]
  icon: Local | null
  /** The domain of the addresses of files in the texts; null if it is not known. */
  filesDomain: string | null
  /** What the service would not take, and what it would change. */
  findings: Finding[]
  /** Differs if anything in the folder does. */
  version: string
}

/** What is known of a file as long as it does not change. */
interface Known {
  state: Stats
  inspected: Inspected
  /** Undefined for files and the icon. */
  text: Pick<LocalText, 'text' | 'body'> | undefined
  findings: Finding[]
}

const SUBDOMAIN = new RegExp(limits.subdomain)

const isSame = (one: Stats, other: Stats) =>
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.size === other.size &&
  one.ino === other.ino

/**
 * Reads the site in a folder, as often as it is asked to. Reads only files that have changed, and of those that can have
 * any size nothing. A text that the service would not take counts as it was before, or as empty, so that it does not break the
 * pages that use it.
 */
export class SiteReader {
  readonly #root: string
  readonly #at: SpaceAddress | null
  #known = new Map<string, Known>()
  #manifest: SiteManifest = parseManifest(null)

  /** @param at the address of the space; null if the site has none yet */
  constructor(root: string, at: SpaceAddress | null) {
    this.#root = root
    this.#at = at
  }

  /** @throws {Failure} if the folder cannot be read as that of a site */
  async read(): Promise<LocalSite> {
    const disk = new Disk(this.#root)
    const findings: Finding[] = []
    const manifestText = (await disk.read(MANIFEST))?.toString() ?? null
    try {
      this.#manifest = parseManifest(manifestText)
    } catch (error) {
      findings.push(manifestFinding(manifestText!, (error as Error).message))
    }
    const remembered = this.#at ? (await Memory.open(disk, this.#at.address)).items : new Map<string, never>()
    const known = new Map<string, Known>()
    const scan = await scanFolder(this.#root, remembered, this.#manifest, (file, item) => {
      const found = this.#look(file, item)
      if (found) known.set(file, found)
      return found?.inspected ?? null
    })
    this.#known = known
    for (const { path: file, message } of scan.problems)
      findings.push({ file, line: null, column: null, message, kind: 'problem' })
    const items = [...scan.items.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
    const texts = items.flatMap(({ path, file }): LocalText[] => {
      const { state, text } = known.get(file)!
      return text === undefined ? [] : [{ path, file, name: nameOf(path), ...datesOf(state), ...text }]
    })
    const of = (kind: string) => texts.filter(({ path }) => kindOf(path) === kind)
    const pages = of('page').map(page => {
      const { kind = 'scripted' } = scan.items.get(page.path)!.settings
      if (kind !== 'scripted' && kind !== 'static')
        findings.push(
          settingFinding(
            manifestText!,
            `/pages/${page.name}/kind`,
            'The kind of a page is "scripted" or "static".',
          ),
        )
      const createdAt = this.#createdAt(page.name) ?? page.createdAt
      return { ...page, createdAt, kind: kind === 'static' ? ('static' as const) : ('scripted' as const) }
    })
    return {
      ...this.#names(),
      filesDomain: domainIn(this.#manifest),
      pages,
      parts: of('part'),
      records: of('record'),
      // The service lists the newest file first. Without times, the order is that of an import.
      files: items
        .filter(({ path }) => kindOf(path) === 'file')
        .map(({ path: item, file, size, settings }) => {
          const name = typeof settings.name === 'string' ? settings.name : path.posix.basename(item)
          const { state } = known.get(file)!
          return { path: item, file, name, size, contentType: contentTypeOf(name), ...datesOf(state) }
        })
        .toReversed(),
      icon: this.#icon(scan.items.get(ICON)),
      findings: [...findings, ...items.flatMap(({ file }) => known.get(file)!.findings)],
      version: versionOf(manifestText, findings, known),
    }
  }

  #icon(item: LocalItem | undefined): Local | null {
    if (!item) return null
    const { path, file } = item
    return { path, file, ...datesOf(this.#known.get(file)!.state) }
  }

  /** The subdomain and the name: those of the archive, or of the space, or of the folder. */
  #names(): Pick<LocalSite, 'subdomain' | 'name'> {
    const { space } = this.#manifest as { space?: { subdomain?: unknown; name?: unknown } }
    const folder = path.basename(this.#root)
    const archived = typeof space?.subdomain === 'string' ? space.subdomain : folder
    const subdomain = (this.#at?.subdomain ?? archived)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
    return {
      subdomain: SUBDOMAIN.test(subdomain) ? subdomain : 'site',
      name: typeof space?.name === 'string' ? space.name : (this.#at?.subdomain ?? folder),
    }
  }

  /** When a page was created, if the folder is an archive that says so. */
  #createdAt(slug: string): Date | undefined {
    const { pages } = this.#manifest
    const time = Object.hasOwn(pages, slug) ? Date.parse(String(pages[slug]!.created_at)) : Number.NaN
    return Number.isNaN(time) ? undefined : new Date(time)
  }

  #look(file: string, item: string): Known | null {
    const location = path.join(this.#root, file)
    const state = lstatSync(location, { throwIfNoEntry: false })
    if (!state?.isFile()) return null
    const before = this.#known.get(file)
    if (before && isSame(before.state, state)) return before
    const inspected = { size: state.size, digest: '', exact: '' }
    if (kindOf(item) === 'file')
      return { state, inspected, text: undefined, findings: sizeFindings(file, state.size) }
    let bytes: Buffer
    try {
      bytes = readFileSync(location)
    } catch {
      return null
    }
    if (!isText(item)) {
      const fault = faultOfContent(item, bytes)
      const findings =
        fault === undefined ? [] : [problem(file, `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`)]
      return { state, inspected, text: undefined, findings }
    }
    const found =
      kindOf(item) === 'record' ? readRecord(file, bytes) : readTemplate(file, bytes, kindOf(item) === 'page')
    const nothing = { text: '', body: kindOf(item) === 'record' ? 'null' : '' }
    return { state, inspected, ...found, text: found.text ?? before?.text ?? nothing }
  }
}

const versionOf = (
  manifest: string | null,
  findings: readonly Finding[],
  known: ReadonlyMap<string, Known>,
) =>
  JSON.stringify([
    manifest,
    findings,
    [...known].map(([file, { state }]) => [file, state.mtimeMs, state.ctimeMs, state.size, state.ino]),
  ])

const domainIn = ({ files_domain: domain }: SiteManifest): string | null =>
  typeof domain === 'string' && /^[a-z0-9.:-]{1,300}$/.test(domain) ? domain : null

const datesOf = (state: Stats) => ({
  changedAt: state.mtime,
  // A copy can be newer than its content.
  createdAt: new Date(Math.min(state.birthtimeMs || state.mtimeMs, state.mtimeMs)),
})

const problem = (
  file: string,
  message: string,
  place: { line: number; column: number } | null = null,
): Finding => ({
  file,
  line: place?.line ?? null,
  column: place?.column ?? null,
  message,
  kind: 'problem',
})

const sizeFindings = (file: string, size: number): Finding[] => {
  if (size === 0) return [problem(file, 'The file is empty.')]
  const { max_bytes } = rules.file
  return size > max_bytes
    ? [problem(file, `The file has ${size} bytes; at most ${max_bytes} are allowed.`)]
    : []
}

type Read = Pick<Known, 'text' | 'findings'>

const readTemplate = (file: string, bytes: Uint8Array, isPage: boolean): Read => {
  const text = decoded(bytes)
  if (text === null) return { text: undefined, findings: [problem(file, 'The text is not UTF-8.')] }
  const body = text.trim()
  if (body === '') return { text: undefined, findings: [problem(file, 'The text is empty.')] }
  const max = isPage ? rules.page.html_max_length : rules.part.html_max_length
  const findings =
    body.length <= max || Array.from(body).length <= max
      ? []
      : [problem(file, `The text has more than ${max} characters.`)]
  return { text: { text, body }, findings }
}

const readRecord = (file: string, bytes: Uint8Array): Read => {
  const whole = decoded(bytes)
  if (whole === null) return { text: undefined, findings: [problem(file, 'The text is not UTF-8.')] }
  const text = whole.replace(/^\uFEFF/, '')
  const { problems } = checkJson(text, rules.data.max_depth)
  const findings = problems.map(
    ({ offset, message, severity }): Finding => ({
      ...problem(file, message, positionAt(text, offset)),
      kind: severity === 'error' ? 'problem' : 'note',
    }),
  )
  if (problems.some(({ severity }) => severity === 'error')) return { text: undefined, findings }
  const body = JSON.stringify(JSON.parse(text))
  const max = rules.data.value_max_bytes
  const size = Buffer.byteLength(body)
  if (size > max)
    findings.push(problem(file, `The value has ${size} bytes as compact JSON; at most ${max} are allowed.`))
  return { text: { text, body }, findings }
}

const manifestFinding = (text: string, message: string): Finding => {
  const found = checkJson(text, Number.POSITIVE_INFINITY).problems.find(
    ({ severity }) => severity === 'error',
  )
  return found ? problem(MANIFEST, found.message, positionAt(text, found.offset)) : problem(MANIFEST, message)
}

const settingFinding = (text: string, pointer: string, message: string): Finding => {
  const offset = checkJson(text, Number.POSITIVE_INFINITY).offsets.get(pointer)
  return problem(MANIFEST, message, offset === undefined ? null : positionAt(text, offset))
}
