const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML, in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => ESCAPES[character] ?? character)

/** Markup that is not escaped again. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template: text is escaped, markup is not, and empty values print nothing. */
export type Content = string | number | Markup | null | undefined | false | readonly Content[]

const toText = (content: Content): string => {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(toText).join('')
  return escapeHtml(String(content))
}

/** An HTML template that escapes every value except markup. */
export const html = (fixed: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(String.raw({ raw: fixed }, ...contents.map(toText)))

/** The same as `html`, for XML: also replaces control characters that XML does not allow. */
export const xml = (fixed: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(html(fixed, ...contents).text.replace(NOT_IN_XML, '�'))

const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu
