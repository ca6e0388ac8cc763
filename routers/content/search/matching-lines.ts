/** Maximum length of an excerpt, in characters. */
const EXCERPT = 160

/** A line that contains the search text. */
export interface MatchingLine {
  /** Line number, from 1. */
  line: number
  excerpt: string
  /** Offset of the match in the text, in UTF-16 units. */
  offset: number
}

/**
 * Returns the first lines of `text` that contain `needle`, at most `limit`, ignoring case. The caller has checked that
 * `text` contains `needle`.
 */
export const matchingLines = (text: string, needle: string, limit: number): MatchingLine[] => {
  const wanted = needle.toLowerCase()
  const found: MatchingLine[] = []
  let line = 0
  for (let begin = 0; begin <= text.length && found.length < limit; ) {
    line += 1
    const end = text.indexOf('\n', begin)
    const content = text.slice(begin, end === -1 ? undefined : end)
    const at = content.toLowerCase().indexOf(wanted)
    if (at !== -1) found.push({ line, excerpt: around(content, at), offset: begin + at })
    if (end === -1) break
    begin = end + 1
  }
  // If `needle` has line breaks, no single line contains it, so return the beginning of the text.
  return found.length > 0 ? found : [{ line: 1, excerpt: around(text, 0), offset: 0 }]
}

/** Returns the part of a line around a match, as an excerpt. */
const around = (line: string, at: number): string => {
  const from = Math.max(0, Math.min(at - EXCERPT / 4, line.length - EXCERPT))
  const piece = line
    .slice(from, from + EXCERPT)
    .toWellFormed()
    .trim()
  return `${from > 0 ? '…' : ''}${piece}${from + EXCERPT < line.length ? '…' : ''}`
}
