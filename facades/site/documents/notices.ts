import { html, type Markup } from '../../../routers/core/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import { iconLink, shell } from './shell.ts'

const notice = (title: string, text: Markup, site: Site | null = null): string =>
  shell({
    title: site ? `${title} · ${site.name}` : title,
    head: html`<meta name="robots" content="noindex">
${site ? iconLink(site) : null}`,
    look: 'notice',
    main: html`<div class="card"><h1>${title}</h1>
${text}</div>`,
  })

/** The site exists, the page does not. Links open in the whole window, in case the document is framed. */
export const pageNotFound = (site: Site): string =>
  notice(
    'Page not found',
    html`<p class="soft">The page may have been renamed or deleted, or the address may be mistyped.</p>
<p class="actions"><a class="button" href="${site.url}/" target="_top" dir="auto">Go to ${site.name}</a>
<a href="${site.url}/articles" target="_top">Newest pages</a></p>`,
    site,
  )

/** Nothing exists under the name. The page gives no details, so that names cannot be probed. */
export const nothingHere = (): string =>
  notice(
    'There is nothing at this address',
    html`<p class="soft">It may have been deleted, or the address may be mistyped.</p>`,
  )

/** Replaces a site inside a frame: sites do not nest. */
export const continueInWindow = (site: Site, url: string): string =>
  notice(
    'Open this page in the whole window',
    html`<p class="soft">This link leads to <span dir="auto">${site.name}</span>, which cannot be shown inside another page.</p>
<p class="actions"><a class="button" href="${url}" target="_top">Continue</a></p>
<p class="soft"><small>${url}</small></p>`,
    site,
  )

export const methodNotAllowed = (method: string): string =>
  notice('Method not allowed', html`<p class="soft">This address does not accept ${method} requests.</p>`)

export const busy = (seconds: number): string =>
  notice('This page cannot be opened right now', html`<p class="soft">Try again in ${seconds} seconds.</p>`)

/** @param reference under which the error is logged */
export const internalError = (reference: string): string =>
  notice(
    'Something went wrong',
    html`<p class="soft">The page could not be delivered. This is not the fault of the page. Try again; if the error persists, tell
the operator this reference: <code>${reference}</code>.</p>`,
  )
