import { html, type Markup } from '../../../routers/core/html.ts'
import type { Style } from './style.ts'

export interface Document {
  title: string
  style: Style
  /** Further elements for the head. */
  head?: Markup | null
  /** Class of the `body` element. */
  look?: string
  body: Markup
}

/** The shell of every HTML page that the service writes. Pages work without JavaScript. */
export const htmlDocument = ({ title, style, head, look, body }: Document): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head ?? null}
${style.element}
</head>
<body${look === undefined ? null : html` class="${look}"`}>
${body}
</body>
</html>
`.text
