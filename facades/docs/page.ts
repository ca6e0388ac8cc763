import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Content, html, Markup } from '../../routers/core/html.ts'

/** An entry of the contents, with what is below it. */
export interface Chapter {
  href: string
  title: Content
  below?: Chapter[]
}

const style = ['style.css', 'reference.css']
  .map(name => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('')

/** Headers of the reference: nothing is loaded, nothing runs, and the one style sheet is known by its digest. */
export const pageHeaders = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
}

/** A whole page of the reference. */
export const page = ({
  title,
  description,
  contents,
  main,
}: {
  title: string
  description: string
  contents: Chapter[]
  main: Markup
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<style>${rawStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<nav aria-label="Reference">
<details class="contents"><summary>Contents</summary>
${chapterList(contents)}
</details>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text

const rawStyle = new Markup(style)

const chapterList = (chapters: Chapter[]): Markup =>
  html`<ul>${chapters.map(
    ({ href, title, below }) =>
      html`<li><a href="${href}">${title}</a>${below && below.length > 0 && chapterList(below)}</li>`,
  )}</ul>`
