import { html, Markup } from '../../../routers/api/html.ts'
import type { DocumentHead, HeadLink, HeadMeta, HeadOutcome } from '../../../routers/api/renderer.ts'
import type { FoundPage, Site } from '../../../routers/delivery/find-page.ts'
import { inlineScript } from '../../http/page/inline-script.ts'
import { SCRIPTED_FEATURES, SCRIPTED_SANDBOX } from '../../shared/sandbox.ts'
import { canonicalOf } from '../canonical.ts'
import { iconLink, titleOf } from './shell.ts'

/** The document's own script. */
export const frameScript = inlineScript(new URL('../frame.js', import.meta.url))

/**
 * Returns the document that the site serves for a scripted page. The document has a frame that fills the window. The
 * frame loads the page from the page's own origin (contract: "Kinds"). The head of the document repeats the metadata
 * from the head of the page, for browsers, search engines and link previews. The document uses neither the shared shell
 * nor the shell's colors, because the frame covers everything.
 *
 * @param source URL of the frame
 */
export const framed = (site: Site, page: FoundPage, result: HeadOutcome, source: string): string => {
  const { title, lang, dir, metas, links, data } = result.ok ? result.head : NO_HEAD
  const shownTitle = title ?? `${titleOf(page.slug)} · ${site.name}`
  const has = (relation: string) => links.some(({ rel }) => rel.split(' ').includes(relation))
  return html`<!doctype html>
<html${lang ? html` lang="${lang}"` : null}${dir ? html` dir="${dir}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shownTitle}</title>
${has('canonical') ? null : html`<link rel="canonical" href="${canonicalOf(site, page)}">\n`}${has('icon') ? null : iconLink(site)}
${metas.map(metaElement)}${links.map(linkElement)}${data.map(dataElement)}<style>
html, body { margin: 0; height: 100%; overflow: hidden }
iframe { display: block; width: 100%; height: 100vh; height: 100dvh; border: 0 }
@media print {
html, body { height: auto; overflow: visible }
iframe { width: var(--width, 100%); height: var(--height, 100vh); zoom: var(--zoom, 1) }
}
</style>
</head>
<body>
<iframe src="${source}" loading="lazy" title="${shownTitle}" sandbox="${SCRIPTED_SANDBOX}" allow="${SCRIPTED_FEATURES}"></iframe>
<script>${frameScript.code}</script>
</body>
</html>
`.text
}

const NO_HEAD: DocumentHead = { title: null, lang: null, dir: null, metas: [], links: [], data: [] }

const metaElement = ({ key, name, content, media }: HeadMeta): Markup => {
  const which = key === 'name' ? html`name="${name}"` : html`property="${name}"`
  return html`<meta ${which} content="${content}"${media ? html` media="${media}"` : null}>\n`
}

const linkElement = ({ rel, href, ...more }: HeadLink): Markup =>
  html`<link rel="${rel}" href="${href}"${Object.entries(more).map(([name, value]) => html` ${name}="${value}"`)}>\n`

/** Every `<` is escaped, so that the JSON cannot close the element. Browsers never run a script of this type. */
const dataElement = (json: string): Markup =>
  html`<script type="application/ld+json">${new Markup(json.replaceAll('<', '\\u003c'))}</script>\n`
