const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const SPECIAL = /[&<>"']/
const EVERY_SPECIAL = /[&<>"']/g

/** Escapes the five characters that have a meaning in HTML. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, character => ESCAPES[character] ?? character) : text
}
