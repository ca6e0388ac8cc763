import { html, type Markup } from '../../../routers/api/html.ts'
import type { TemplateError } from '../../../routers/api/renderer.ts'
import { styleOf } from '../../http/page/style.ts'
import { SITE_CSS, shell } from './shell.ts'

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
 * scripts, loads nothing, and quotes nothing from the template. All texts from `error` are escaped.
 *
 * @param editor the address of the page's editor in the dashboard; null if there is none
 */
export function errorPage(error: TemplateError, editor: string | null): string {
  const isPartBroken = error.kind === 'syntax' && error.where.body === 'part'
  const headline = isPartBroken ? 'A part of this page has a syntax error' : HEADLINES[error.kind]
  return shell({
    title: headline,
    style,
    head: html`<meta name="robots" content="noindex">`,
    look: 'notice',
    main: html`<div class="card">
<p class="kind">${LABELS[error.kind]}</p>
<h1>${headline}</h1>
<p class="what">${visible(error.readersMessage ?? error.message)}</p>
${position(error)}
<section class="fix" aria-labelledby="fix">
<h2 id="fix">How to fix it</h2>
<p>${visible(error.advice)}</p>
</section>
<footer>Visiting this site? ${unaffected(error)}${
      editor === null
        ? null
        : html` Are you an author of this site?
<a href="${editor}" target="_top">Open in the editor</a>`
    }</footer>
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

function position({ where, line, column }: TemplateError): Markup {
  const body = html`${where.body === 'part' ? 'Part' : 'Page'} <strong>${visible(where.name)}</strong>`
  return line === null || column === null
    ? html`<p>${body}</p>`
    : html`<p>${body}, line ${line}, column ${column}</p>`
}

/** Says which pages of the site the error does not concern. */
function unaffected({ kind, where }: TemplateError): Markup {
  if (where.body === 'part')
    return html`Pages that do not include the part <strong>${visible(where.name)}</strong> are not affected.`
  return kind === 'missing_part'
    ? html`Pages that do not include this part are not affected.`
    : html`Its other pages are not affected.`
}

/** Replaces invisible characters, and those that change the text's direction, with �. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, character => (character === '\t' || character === '\n' ? character : '�'))
