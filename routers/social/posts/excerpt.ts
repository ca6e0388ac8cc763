/** The escape sequences that this service writes, and the characters that they stand for. */
const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const graphemes = new Intl.Segmenter()

/** Returns the text of HTML that this service generated. Such HTML contains only the escape sequences above. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, name => CHARACTERS[name]!)
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Returns the text of the first heading or paragraph that is not empty, from HTML that this service generated.
 *
 * @param length maximum length in graphemes; longer text is truncated with an ellipsis
 * @returns plain text, which may be empty
 */
export const excerptOf = (html: string, length: number): string => {
  const blocks = html.slice(0, 100 * length).split(/<\/(?:h[1-6]|p|li|pre|td|th)>/)
  const text = blocks.map(textOf).find(block => block !== '') ?? ''
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}
