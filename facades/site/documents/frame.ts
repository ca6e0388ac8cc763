import { html } from '../../../routers/core/html.ts'
import type { HeadOutcome } from '../../../routers/core/renderer.ts'
import type { FoundPage, Site } from '../../../routers/delivery/find-page.ts'
import { SCRIPTED_FEATURES, SCRIPTED_SANDBOX } from '../../shared/sandbox.ts'
import { forwardFragment } from './fragment.ts'
import { iconLink, titleOf } from './shell.ts'

/**
 * The site's document for a scripted page: a frame of the page's own origin that fills the window (contract: "Kinds").
 * Title and description are the page's own, if it declares any.
 *
 * @param source URL of the frame
 */
export const framed = (site: Site, page: FoundPage, result: HeadOutcome, source: string): string => {
  const title = (result.ok ? result.title : null) ?? `${titleOf(page.slug)} · ${site.name}`
  const description = result.ok ? result.description : null
  return html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${description ? html`<meta name="description" content="${description}">` : null}
<link rel="canonical" href="${page.url}">
${iconLink(site)}
<style>
html, body { margin: 0; height: 100%; overflow: hidden }
iframe { display: block; width: 100%; height: 100vh; height: 100dvh; border: 0 }
</style>
</head>
<body>
<iframe src="${source}" title="${title}" sandbox="${SCRIPTED_SANDBOX}" allow="${SCRIPTED_FEATURES}"></iframe>
${forwardFragment}
</body>
</html>
`.text
}
