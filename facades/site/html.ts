const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML, in elements and in quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPES[character] ?? '')

/** Markup that is safe to write as it is. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Markup | readonly Markup[] | null

const written = (value: Value): string => {
  if (value === null) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escaped(String(value))
}

/** Markup with values in it: text is escaped, other markup and lists of it are written as they are, null is nothing. */
export const html = (fixed: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(fixed.map((text, index) => text + written(values[index] ?? null)).join(''))

/** The same for XML, whose grammar has no room for most control characters. */
export const xml = (fixed: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(html(fixed, ...values).text.replace(NOT_IN_XML, '�'))

const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu
