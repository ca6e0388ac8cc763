import { rules } from '../../../routers/api/rules.ts'
import { portableName } from '../../../routers/content/transfer/portable-names.ts'

/** The folders of a site that have items. Of what is beside them, only the icon is an item. */
export const CONTENT_FOLDERS = ['pages', 'parts', 'data', 'files'] as const

/** The icon of the space. */
export const ICON = 'icon.png'

const NAMED = /^(pages|parts)\/([^/]+)\.liquid$|^(data)\/([^/]+)\.json$/
const FILE = /^files\/(?:[2-9a-z]{16}\/)?([^/]+)$/

const PATTERNS: Readonly<Record<string, RegExp>> = {
  pages: new RegExp(rules.page.slug.pattern),
  parts: new RegExp(rules.part.name.pattern),
  data: new RegExp(rules.data.key_pattern),
}

/** Maximum size of the name of a file, in bytes; most file systems allow no more. */
const MAX_NAME = 255

/** Windows allows no control characters in names. */
const CONTROL = /\p{Cc}/u

/** What a path stands for. */
export type Kind = 'page' | 'part' | 'record' | 'file' | 'icon'

const KINDS = { pages: 'page', parts: 'part', data: 'record', files: 'file' } as const

/** The kind of item at a path. */
export const kindOf = (path: string): Kind =>
  path === ICON ? 'icon' : KINDS[path.slice(0, path.indexOf('/')) as keyof typeof KINDS]

/** Whether an item is text, of which the service and editors change white space and line ends. */
export const isText = (path: string): boolean => !['file', 'icon'].includes(kindOf(path))

/** The slug of a page, the name of a part or the key of a record. */
export const nameOf = (path: string): string =>
  path.slice(path.indexOf('/') + 1).replace(/\.(?:liquid|json)$/, '')

/** Returns why no item can have this path, or undefined if it is one of an item. */
export const faultOfPath = (path: string): string | undefined => {
  if (path === ICON) return undefined
  const [, template, name, data, key] = NAMED.exec(path) ?? []
  const folder = template ?? data
  if (folder) {
    if (PATTERNS[folder]!.test(name ?? key!)) return undefined
    return `"${name ?? key}" is no ${{ pages: 'slug', parts: 'name of a part', data: 'key' }[folder]}: use lowercase letters, digits and hyphens`
  }
  if (/^(?:pages|parts)\//.test(path)) return 'pages and parts are files that end in .liquid, without folders'
  if (path.startsWith('data/')) return 'records are files that end in .json, without folders'
  const file = FILE.exec(path)?.[1]
  if (file === undefined) return 'files cannot be in a folder below files'
  if (file === '.' || file === '..' || CONTROL.test(file) || portableName(file) !== file)
    return 'Windows does not allow this name'
  if (Buffer.byteLength(file) > MAX_NAME) return `the name is longer than ${MAX_NAME} bytes`
  return undefined
}

/** Whether a path is one of an item, although its name may be one that some file system does not take. */
export const isItemPath = (path: string): boolean =>
  faultOfPath(path) === undefined ||
  (FILE.test(path) && !path.split('/').some(name => name === '..' || name === '.'))

/** The form of a path by which file systems that ignore letter case or Unicode forms compare it. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/**
 * Returns the path at which a folder keeps an item of the service. It is the item's own, unless a file system would not
 * take the name.
 */
export const localPathOf = (path: string, isTaken: (path: string) => boolean): string => {
  const name = FILE.exec(path)?.[1]
  if (name === undefined || (faultOfPath(path) === undefined && !isTaken(path))) return path
  const folder = path.slice(0, path.length - name.length)
  const safe = portableName(name.replaceAll(new RegExp(CONTROL, 'gu'), '_')).replace(/^\.+$/, '_')
  const [, stem = safe, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/s.exec(safe) ?? []
  const short = shortened(stem, MAX_NAME - Buffer.byteLength(extension) - 8)
  for (let number = 1; ; number++) {
    const candidate = `${folder}${short}${number === 1 ? '' : `-${number}`}${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

const shortened = (text: string, bytes: number): string => {
  let short = text
  while (Buffer.byteLength(short) > bytes) short = Array.from(short).slice(0, -1).join('')
  return short
}

/** The path of the file with the other side's version of an item. @param number 1, or higher if that is taken */
export const theirsPath = (path: string, number = 1): string =>
  path.replace(/(\.[^./]*)?$/, extension => `.theirs${number === 1 ? '' : `-${number}`}${extension}`)

/** Returns the path of the item whose other version is at this path, or null for any other path. */
export const pathOfTheirs = (path: string): string | null => {
  const match = /^(.+)\.theirs(?:-\d+)?(\.[^./]*)?$/.exec(path)
  return match ? match[1]! + (match[2] ?? '') : null
}
