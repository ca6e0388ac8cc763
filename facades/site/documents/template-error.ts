import { escapeHtml } from '../../../routers/core/html.ts'
import type { TemplateError } from '../../../routers/core/renderer.ts'

/** Characters before the column in a line that was shortened at its beginning. */
const SHORTENED_BEFORE = 41

const HEADLINES: Record<TemplateError['kind'], string> = {
  syntax: 'This page’s template has a syntax error',
  missing_part: 'This page includes a part that does not exist',
  timeout: 'This page takes too long to render',
  too_large: 'This page is too large to render',
  render: 'This page could not be rendered',
}

const STYLE = `
:root { color-scheme: light dark; --back: #f6f5f2; --card: #fff; --text: #23211d; --soft: #67625a; --line: #e2dfd8;
  --mark: #b3361e; --tint: #fdf1ee; --code: #faf9f6 }
@media (prefers-color-scheme: dark) { :root { --back: #171614; --card: #211f1c; --text: #ece8e1; --soft: #a8a196;
  --line: #38342f; --mark: #ff9c85; --tint: #33211d; --code: #1a1816 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
main { width: 100%; max-width: 44rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  padding: clamp(1.25rem, 5vw, 2.5rem); overflow-wrap: anywhere }
.kind { margin: 0; color: var(--mark); font-size: .8125rem; font-weight: 600; letter-spacing: .04em }
h1 { margin: .25rem 0 1rem; font-size: clamp(1.35rem, 4vw, 1.75rem); line-height: 1.25; text-wrap: balance }
h2 { margin: 1.75rem 0 .25rem; font-size: 1rem }
p { margin: .25rem 0 }
.what { font-size: 1.0625rem }
figure { margin: 1.5rem 0 0; border: 1px solid var(--line); border-radius: .625rem; overflow: hidden }
mark { background: var(--tint); color: var(--mark); text-decoration: underline wavy }
figcaption { padding: .5rem .875rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .875rem }
pre { margin: 0; padding: .75rem .875rem; display: grid; grid-template-columns: auto 1fr; gap: .875rem;
  background: var(--code); font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; tab-size: 2 }
pre span { color: var(--soft); user-select: none }
.fix { margin-top: 1.5rem; padding: .875rem 1.125rem; background: var(--tint); border-radius: .625rem }
.fix h2 { margin-top: 0 }
footer { margin-top: 1.75rem; color: var(--soft); font-size: .875rem }
`

/**
 * Returns an HTML document that explains a template error: what is wrong, where, and how to fix it. It has no scripts,
 * loads nothing, and displays nothing beyond `error`, escaped.
 */
export function errorPage(error: TemplateError): string {
  const headline = HEADLINES[error.kind]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${headline}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="kind">${LABELS[error.kind]}</p>
<h1>${headline}</h1>
<p class="what">${escapeText(error.message)}</p>
${position(error)}
<section class="fix" aria-labelledby="fix">
<h2 id="fix">How to fix it</h2>
<p>${escapeText(error.advice)}</p>
</section>
<footer>Visiting this site? Only its authors can fix this page. Other pages are not affected.</footer>
</main>
</body>
</html>
`
}

const LABELS: Record<TemplateError['kind'], string> = {
  syntax: 'Syntax error',
  missing_part: 'Missing part',
  timeout: 'Time limit',
  too_large: 'Size limit',
  render: 'Rendering error',
}

function position({ where, line, column, excerpt }: TemplateError): string {
  const body = `${where.body === 'part' ? 'Part' : 'Page'} <strong>${escapeText(where.name)}</strong>`
  if (line === null || column === null) return `<p>${body}</p>`
  const heading = `${body}, line ${line}, column ${column}`
  if (excerpt === null) return `<p>${heading}</p>`
  return `<figure>
<figcaption>${heading}</figcaption>
<pre><span aria-hidden="true">${line}</span><code>${highlighted(excerpt, column)}</code></pre>
</figure>`
}

/** The source line with the tag or output at `column` marked, up to its closing delimiter. */
function highlighted(excerpt: string, column: number): string {
  const begin = excerpt.startsWith('…')
    ? SHORTENED_BEFORE
    : Array.from(excerpt)
        .slice(0, column - 1)
        .join('').length
  const closing = /[%}]\}/g
  closing.lastIndex = begin
  const end = closing.test(excerpt) ? closing.lastIndex : excerpt.length
  const pieces = [excerpt.slice(0, begin), excerpt.slice(begin, end), excerpt.slice(end)].map(escapeText)
  return `${pieces[0]}<mark>${pieces[1]}</mark>${pieces[2]}`
}

/** Escapes text for HTML; invisible characters, and those that change the text's direction, become �. */
function escapeText(text: string): string {
  return escapeHtml(text).replace(/[\p{Cc}\p{Cf}]/gu, character =>
    character === '\t' || character === '\n' ? character : '�',
  )
}
