/** Places in a text as it was evaluated, while the text is edited further. */
import { replacement } from './replacement.ts'

/** A range of a text, in UTF-16 units. */
export interface TextRange {
  begin: number
  end: number
}

/** The text as the editor has it: with line feeds only. */
const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

const carriageReturn = /\r\n/g

/** Returns a function that converts an offset in a text to the offset in the text with line feeds only. */
export const toLineFeeds = (text: string): ((offset: number) => number) => {
  if (!text.includes('\r')) return offset => offset
  const removed = Array.from(text.matchAll(carriageReturn), ({ index }) => index)
  return offset => {
    let low = 0
    let high = removed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (removed[middle]! < offset) low = middle + 1
      else high = middle
    }
    return offset - low
  }
}

/**
 * Finds a range of a text after the text was edited.
 *
 * @param written the text as it was
 * @param now the text as the editor has it
 * @returns undefined if the range itself was edited
 */
export const currentRange = (
  written: string,
  now: string,
  { begin, end }: TextRange,
): TextRange | undefined => {
  const convert = toLineFeeds(written)
  const before = withLineFeeds(written)
  const range = { begin: convert(begin), end: convert(end) }
  if (before === now) return range
  const { from, to, insert } = replacement(before, now)
  if (range.end <= from) return range
  if (range.begin < to) return undefined
  const shift = insert.length - (to - from)
  return { begin: range.begin + shift, end: range.end + shift }
}
