const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it is written in HTML and XML, in elements and in quoted attributes alike. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => ESCAPES[character] ?? character)

/** Markup that is safe to write as it is. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a template may hold: text, which is escaped, markup, which is not, lists of both, and nothing at all. */
export type Content = string | number | Markup | null | undefined | false | readonly Content[]

const written = (content: Content): string => {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(written).join('')
  return escapeHtml(String(content))
}

/** A template in which everything that is filled in is escaped, unless it is markup itself. */
export const html = (fixed: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(String.raw({ raw: fixed }, ...contents.map(written)))

/** The same for XML, whose grammar has no room for most control characters. */
export const xml = (fixed: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(html(fixed, ...contents).text.replace(NOT_IN_XML, '�'))

const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu
