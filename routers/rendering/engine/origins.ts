import type { Origin } from '../../api/renderer.ts'
import { positionIn } from './position.ts'

/** A text that contributes to a page: the page's own body, a part that it includes, or a record as JSON. */
export interface Source {
  where: Origin['where']
  text: string
}

const NOWHERE: Origin = { where: null, line: null }

/** Characters before and after an address in markup. */
const BEFORE = new Set(['"', "'", '=', ' ', '\n', '\t'])
const AFTER = new Set(['"', "'", '>', ' ', '\n', '\t', undefined])

/**
 * Finds where an address in a rendered page is written. An address in a record can also be written without what the
 * template puts before it: `abuot` for `/abuot`.
 *
 * @param sources the page first, then its parts, then records
 */
export function originOfAddress(address: string, sources: readonly Source[]): Origin {
  if (address === '') return NOWHERE
  const ending = address.slice(address.lastIndexOf('/') + 1)
  for (const needle of ending === '' ? [address] : [address, ending])
    for (const { where, text } of sources) {
      const isRecord = where?.body === 'record'
      if (!isRecord && needle !== address) continue
      const at = isRecord ? text.indexOf(JSON.stringify(needle)) : addressIn(text, needle)
      if (at !== -1) return found({ where, text }, at, value => value === needle)
    }
  return NOWHERE
}

/** Finds where an element, or an attribute of it, is written. Sources as for {@link originOfAddress}. */
export function originOfMarkup(
  { element, attribute }: { element: string; attribute: string | null },
  sources: readonly Source[],
): Origin {
  const tag = element.startsWith('!--') ? '<!--' : `<${element}`
  const pattern = new RegExp(
    attribute === null
      ? `${escaped(tag)}(?![\\w-])`
      : `${escaped(tag)}(?![\\w-])[^<]*?[\\s"'/]${escaped(attribute)}(?![\\w-])`,
    'i',
  )
  for (const { where, text } of sources) {
    const match = pattern.exec(text)
    if (match) return found({ where, text }, match.index, value => pattern.test(value))
  }
  return NOWHERE
}

/**
 * The origin at an index of a text. The JSON of a record is stored in one line, so in a record the origin is the path of
 * the string that matches.
 */
function found({ where, text }: Source, at: number, matches: (value: string) => boolean): Origin {
  if (where?.body !== 'record') return { where, line: positionIn(text, at).line }
  const path = pathIn(JSON.parse(text), matches)
  return { where: path === undefined || path === '' ? where : { ...where, path }, line: null }
}

/** The path of the first string in a value that matches, as templates write it after the key of the record. */
function pathIn(value: unknown, matches: (value: string) => boolean): string | undefined {
  if (typeof value === 'string') return matches(value) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const [key, member] of Object.entries(value)) {
    const path = pathIn(member, matches)
    if (path !== undefined)
      return `${isList ? `[${key}]` : /^[a-z_]\w*$/i.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}${path}`
  }
  return undefined
}

/** Escapes text for use in a regular expression. */
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

function addressIn(text: string, address: string): number {
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1))
    if (BEFORE.has(text[at - 1] ?? '') && AFTER.has(text[at + address.length])) return at
  return -1
}
