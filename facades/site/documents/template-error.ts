import { html, type Markup } from '../../../routers/core/html.ts'
import type { TemplateError } from '../../../routers/core/renderer.ts'
import { styleOf } from '../../http/page/style.ts'
import { SITE_CSS, shell } from './shell.ts'

/** Index of the error's column in an excerpt whose beginning was cut off. */
const SHORTENED_BEFORE = 41

const HEADLINES: Record<TemplateError['kind'], string> = {
  syntax: 'This page’s template has a syntax error',
  missing_part: 'This page includes a part that does not exist',
  timeout: 'This page takes too long to render',
  too_large: 'This page is too large to render',
  render: 'This page could not be rendered',
}

const style = styleOf(SITE_CSS, new URL('template-error.css', import.meta.url))

/**
 * Returns an HTML document that explains a template error: what is wrong, where, and how to fix it. It has no
 * scripts and loads nothing. All texts from `error` are escaped.
 *
 * @param editor the address of the page's editor in the dashboard
 */
export function errorPage(error: TemplateError, editor: string): string {
  const headline = HEADLINES[error.kind]
  return shell({
    title: headline,
    style,
    head: html`<meta name="robots" content="noindex">`,
    look: 'notice',
    main: html`<div class="card">
<p class="kind">${LABELS[error.kind]}</p>
<h1>${headline}</h1>
<p class="what">${visible(error.message)}</p>
${position(error)}
<section class="fix" aria-labelledby="fix">
<h2 id="fix">How to fix it</h2>
<p>${visible(error.advice)}</p>
</section>
<footer>Visiting this site? Its other pages are not affected. Are you an author of this site?
<a href="${editor}" target="_top">Open in the editor</a></footer>
</div>`,
  })
}

const LABELS: Record<TemplateError['kind'], string> = {
  syntax: 'Syntax error',
  missing_part: 'Missing part',
  timeout: 'Time limit',
  too_large: 'Size limit',
  render: 'Rendering error',
}

function position({ where, line, column, excerpt }: TemplateError): Markup {
  const body = html`${where.body === 'part' ? 'Part' : 'Page'} <strong>${visible(where.name)}</strong>`
  if (line === null || column === null) return html`<p>${body}</p>`
  const heading = html`${body}, line ${line}, column ${column}`
  if (excerpt === null) return html`<p>${heading}</p>`
  return html`<figure>
<figcaption>${heading}</figcaption>
<pre><span aria-hidden="true">${line}</span><code>${highlighted(excerpt, column)}</code></pre>
</figure>`
}

/** Returns the source line. Marks the text from `column` to the next `%}` or `}}`, or to the end of the line. */
function highlighted(excerpt: string, column: number): Markup {
  const begin = excerpt.startsWith('…')
    ? SHORTENED_BEFORE
    : Array.from(excerpt)
        .slice(0, column - 1)
        .join('').length
  const closing = /[%}]\}/g
  closing.lastIndex = begin
  const end = closing.test(excerpt) ? closing.lastIndex : excerpt.length
  return html`${visible(excerpt.slice(0, begin))}<mark>${visible(excerpt.slice(begin, end))}</mark>${visible(excerpt.slice(end))}`
}

/** Replaces invisible characters, and those that change the text's direction, with �. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, character => (character === '\t' || character === '\n' ? character : '�'))
