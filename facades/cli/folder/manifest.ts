import { Failure } from '../failure.ts'
import { likeBefore, type Settings } from './content.ts'
import { kindOf, nameOf } from './paths.ts'

/** The file with the settings of pages and the descriptions of records; its format is that of archives. */
export const MANIFEST = 'manifest.json'

/** The part of a manifest that describes items. Other fields are kept as they are. */
export interface SiteManifest {
  format: string
  version: number
  files_domain?: string
  pages: Record<string, Record<string, unknown>>
  data: Record<string, { description: string | null }>
  files: Record<string, { name: string }>
}

const FORMAT = 'space-site-space'
const VERSION = 1

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the manifest of a folder. @throws {Failure} if it cannot be understood */
export const parseManifest = (text: string | null): SiteManifest => {
  if (text === null) return { format: FORMAT, version: VERSION, pages: {}, data: {}, files: {} }
  let manifest: unknown
  try {
    manifest = JSON.parse(text.replace('\uFEFF', ''))
  } catch (error) {
    throw new Failure(`${MANIFEST} is not JSON: ${(error as Error).message}.`)
  }
  if (!isObject(manifest) || manifest.format !== FORMAT)
    throw new Failure(`${MANIFEST} is not the manifest of a site: its "format" must be "${FORMAT}".`)
  if (manifest.version !== VERSION)
    throw new Failure(
      `${MANIFEST} has version ${String(manifest.version)}, which this program does not know.`,
    )
  for (const part of ['pages', 'data', 'files']) {
    const entries = manifest[part] ?? {}
    if (!isObject(entries) || !Object.values(entries).every(isObject))
      throw new Failure(`"${part}" in ${MANIFEST} must be an object of objects.`)
  }
  const { pages = {}, data = {}, files = {} } = manifest
  return { ...manifest, pages, data, files } as SiteManifest
}

const own = <Entry>(entries: Record<string, Entry>, name: string): Entry | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

/**
 * Returns the settings of an item in a manifest.
 *
 * @param known the settings at the last sync. A setting of a page that the manifest leaves out stays as it is
 */
export const settingsIn = (manifest: SiteManifest, path: string, known: Settings = {}): Settings => {
  switch (kindOf(path)) {
    case 'page': {
      const { created_at: _, updated_at: __, ...settings } = own(manifest.pages, nameOf(path)) ?? {}
      return { ...known, ...settings }
    }
    case 'part':
    case 'icon':
      return {}
    case 'record':
      return { description: own(manifest.data, nameOf(path))?.description ?? null }
    case 'file': {
      const name = own(manifest.files, path)?.name
      return name === undefined ? {} : { name }
    }
  }
}

/** Returns a manifest with the settings of items; those whose settings are null are removed. */
export const withSettings = (
  manifest: SiteManifest,
  changed: ReadonlyMap<string, Settings | null>,
): SiteManifest => {
  const [pages, data, files] = [{ ...manifest.pages }, { ...manifest.data }, { ...manifest.files }]
  const put = <Entry>(entries: Record<string, Entry>, name: string, entry: Entry | null) => {
    if (entry === null) delete entries[name]
    // A key such as `__proto__` must become an own property.
    else
      Object.defineProperty(entries, name, {
        value: entry,
        enumerable: true,
        writable: true,
        configurable: true,
      })
  }
  for (const [path, settings] of changed) {
    const kind = kindOf(path)
    if (kind === 'page') put(pages, nameOf(path), settings && { ...own(pages, nameOf(path)), ...settings })
    if (kind === 'record') {
      const description = (settings?.description ?? null) as string | null
      put(data, nameOf(path), description === null ? null : { description })
    }
    if (kind === 'file')
      put(files, path, settings?.name === undefined ? null : { name: settings.name as string })
  }
  return { ...manifest, pages, data, files }
}

/** Returns the bytes of a manifest. @param before the text of the file so far */
export const manifestBytes = (manifest: SiteManifest, before: string | null): Uint8Array => {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  return likeBefore(text, before ?? '\n')
}
