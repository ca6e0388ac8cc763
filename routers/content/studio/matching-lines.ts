/** Maximum length of an excerpt, in characters. */
const EXCERPT = 160

/** A line that contains the text that is searched for. */
export interface MatchingLine {
  /** From 1. */
  line: number
  excerpt: string
}

/** Returns the lines of a text that contain another one, ignoring case, at most `limit`. */
export const matchingLines = (text: string, needle: string, limit: number): MatchingLine[] => {
  const wanted = needle.toLowerCase()
  const found: MatchingLine[] = []
  let line = 0
  for (let begin = 0; begin <= text.length && found.length < limit; ) {
    line += 1
    const end = text.indexOf('\n', begin)
    const content = text.slice(begin, end === -1 ? undefined : end)
    const at = content.toLowerCase().indexOf(wanted)
    if (at !== -1) found.push({ line, excerpt: around(content, at) })
    if (end === -1) break
    begin = end + 1
  }
  // A text with line breaks is in no single line.
  return found.length > 0 ? found : [{ line: 1, excerpt: around(text, 0) }]
}

/** The piece of a line around a match. */
const around = (line: string, at: number): string => {
  const from = Math.max(0, Math.min(at - EXCERPT / 4, line.length - EXCERPT))
  const piece = line
    .slice(from, from + EXCERPT)
    .toWellFormed()
    .trim()
  return `${from > 0 ? '…' : ''}${piece}${from + EXCERPT < line.length ? '…' : ''}`
}
