/** A part, record or file that a template names. `path` is the place in the record, without its key. */
export type NamedThing = { begin: number; end: number } & (
  | { kind: 'part' | 'file'; name: string }
  | { kind: 'record'; name: string; path: (string | number)[] }
)

/** Maximum length of a tag or output that is searched for names. */
const LONGEST = 2_000

/** A path in the records: each step after `data` is a name, an index or a quoted key. */
const PATH = /\bdata((?:\.[\w-]+|\[\d+\]|\["[^"\]]*"\]|\['[^'\]]*'\])+)/g
const STEP = /\.([\w-]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g

const PART = /\b(?:render|include|layout)\s+(["'])([\w-]+)\1/g
const QUOTED = /"([^"]*)"|'([^']*)'/g

const stepsOf = (path: string): (string | number)[] =>
  Array.from(path.matchAll(STEP), ([, name, index, double, single]) =>
    index === undefined ? (name ?? double ?? single ?? '') : Number(index),
  )

/** The tag or output around an offset, and where it begins. */
const tagAround = (text: string, offset: number): { tag: string; begin: number } | null => {
  const before = text.slice(Math.max(0, offset - LONGEST), offset)
  const opened = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'))
  if (opened === -1) return null
  const begin = offset - before.length + opened
  const close = text.startsWith('{%', begin) ? '%}' : '}}'
  const end = text.indexOf(close, begin + 2)
  return end === -1 || end < offset ? null : { tag: text.slice(begin, end), begin }
}

/**
 * Finds what a template names at an offset: a part, a place in a record, or a file.
 *
 * @param files the names of the files of the space
 */
export const nameAt = (text: string, offset: number, files: readonly string[]): NamedThing | null => {
  const around = tagAround(text, offset)
  if (!around) return null
  const { tag, begin: from } = around
  const found = (pattern: RegExp) => {
    const match = Array.from(tag.matchAll(pattern)).find(
      ({ index, 0: { length } }) => from + index <= offset && offset <= from + index + length,
    )
    return match && { match, begin: from + match.index, end: from + match.index + match[0].length }
  }
  const part = tag.startsWith('{%') ? found(PART) : undefined
  if (part) return { kind: 'part', name: part.match[2]!, begin: part.begin, end: part.end }
  const record = found(PATH)
  if (record) {
    const [name, ...path] = stepsOf(record.match[1]!)
    return { kind: 'record', name: String(name), path, begin: record.begin, end: record.end }
  }
  const quoted = found(QUOTED)
  const name = quoted && (quoted.match[1] ?? quoted.match[2] ?? '')
  return quoted && name && files.includes(name)
    ? { kind: 'file', name, begin: quoted.begin, end: quoted.end }
    : null
}
