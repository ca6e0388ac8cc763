/** What means something in HTML, and how it is written. */
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const CHARACTERS = Object.fromEntries(Object.entries(ESCAPES).map(([character, name]) => [name, character]))

/** Text as it is written in HTML, in elements and in quoted attributes alike. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPES[character]!)

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
