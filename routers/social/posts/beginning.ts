/** Escapes by what they stand for, as this service writes them. */
const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const graphemes = new Intl.Segmenter()

/** The text of HTML that this service has written itself, which has no escapes but its own. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, name => CHARACTERS[name]!)
    .replace(/\s+/g, ' ')
    .trim()

/**
 * The first words of HTML that this service has written itself: its first heading or paragraph that says anything.
 *
 * @param length most characters as people see them; a longer text is cut and gets an ellipsis
 * @returns text, not HTML; empty when there is none
 */
export const beginningOf = (html: string, length: number): string => {
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
