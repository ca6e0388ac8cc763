/** Converts between the text of an element and its source: HTML with character references. */

/** A character, line break or character reference of the source. */
const UNIT = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);?|\r\n?|[\s\S]/gi

/** Decodes a character reference. */
export type Decode = (reference: string) => string

interface Unit {
  source: string
  text: string
}

const unitsOf = (source: string, decode: Decode): Unit[] =>
  (source.match(UNIT) ?? []).map(unit => ({
    source: unit,
    text: unit.startsWith('&') && unit.length > 1 ? decode(unit) : unit.startsWith('\r') ? '\n' : unit,
  }))

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '{': '&#123;' }

/** Writes text as HTML that contains no tag, neither of HTML nor of Liquid. */
const encode = (text: string): string => text.replace(/[&<{]/g, character => ESCAPES[character]!)

/** The text that a browser shows for a source without tags. */
export const textOf = (source: string, decode: Decode): string =>
  unitsOf(source, decode)
    .map(({ text }) => text)
    .join('')

/** Changes the text of a source. What is before and after the change stays as it was written. */
export const withText = (source: string, text: string, decode: Decode): string => {
  const units = unitsOf(source, decode)
  let begin = 0
  let start = 0
  while (begin < units.length && text.startsWith(units[begin]!.text, start))
    start += units[begin++]!.text.length
  let end = units.length
  let stop = text.length
  while (end > begin) {
    const { text: last } = units[end - 1]!
    if (stop - last.length < start || !text.slice(start, stop).endsWith(last)) break
    stop -= last.length
    end -= 1
  }
  const sourceOf = (some: Unit[]) => some.map(unit => unit.source).join('')
  const written =
    sourceOf(units.slice(0, begin)) + encode(text.slice(start, stop)) + sourceOf(units.slice(end))
  // What is kept can get another meaning beside the new text, such as a lone `&` before `lt;`.
  return textOf(written, decode) === text && !/\{[{%]/.test(written) ? written : encode(text)
}
