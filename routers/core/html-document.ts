import { html, type Markup } from './html.ts'

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
