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

export interface Document {
  /** Language of the document; absent for content that people write, because its language is unknown. */
  lang?: string
  title: string
  /** The `style` element. */
  style: Markup
  /** Further elements for the head. */
  head?: Markup | null
  /** Class of the `body` element. */
  look?: string
  body: Markup
}

/** The shell of every HTML page that the service writes. Pages work without JavaScript. */
export const htmlDocument = ({ lang, title, style, head, look, body }: Document): string =>
  html`<!doctype html>
<html${lang === undefined ? null : html` lang="${lang}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head ? html`${head}\n` : null}${style}
</head>
<body${look === undefined ? null : html` class="${look}"`}>
${body}
</body>
</html>
`.text
