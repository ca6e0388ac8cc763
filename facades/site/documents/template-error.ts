import { escapeHtml } from '../../../routers/core/html.ts'
import type { TemplateError } from '../../../routers/core/renderer.ts'

const HEADLINES: Record<TemplateError['kind'], string> = {
  syntax: 'This page has a mistake in its template',
  missing_part: 'This page includes a part that does not exist',
  timeout: 'This page takes too long to put together',
  too_large: 'This page grows too large',
  render: 'This page could not be put together',
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
figcaption { padding: .5rem .875rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .875rem }
pre { margin: 0; padding: .75rem .875rem; display: grid; grid-template-columns: auto 1fr; gap: .875rem;
  background: var(--code); font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; tab-size: 2 }
pre span { color: var(--soft); user-select: none }
.fix { margin-top: 1.5rem; padding: .875rem 1.125rem; background: var(--tint); border-radius: .625rem }
.fix h2 { margin-top: 0 }
footer { margin-top: 1.75rem; color: var(--soft); font-size: .875rem }
`

/**
 * A whole HTML document that tells whoever opens the page what is wrong with its template, where, and how to mend it.
 * It has no scripts, loads nothing, and shows nothing beyond `error`, all of it escaped.
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
${source(error)}
<section class="fix" aria-labelledby="fix">
<h2 id="fix">How to mend it</h2>
<p>${escapeText(error.advice)}</p>
</section>
<footer>Only the author of this page can change it. Everything else on this site works as before.</footer>
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

function source({ where, line, column, excerpt }: TemplateError): string {
  const body = `${where.body === 'part' ? 'Part' : 'Page'} <strong>${escapeText(where.name)}</strong>`
  if (line === null || column === null) return `<p>${body}</p>`
  const place = `${body}, line ${line}, column ${column}`
  if (excerpt === null) return `<p>${place}</p>`
  return `<figure>
<figcaption>${place}</figcaption>
<pre><span aria-hidden="true">${line}</span><code>${escapeText(excerpt)}</code></pre>
</figure>`
}

/** Text for HTML; characters that change the direction of text or are invisible are shown as what they are. */
function escapeText(text: string): string {
  return escapeHtml(text).replace(/[\p{Cc}\p{Cf}]/gu, character =>
    character === '\t' || character === '\n' ? character : '�',
  )
}
