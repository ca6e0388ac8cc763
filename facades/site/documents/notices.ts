import { html, type Markup } from '../../../routers/api/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import { inlineScript } from '../../http/page/inline-script.ts'
import { iconLink, shell } from './shell.ts'

/** The script of {@link forward}. */
export const forwardScript = inlineScript(new URL('../forward.js', import.meta.url))

interface Notice {
  title: string
  text: Markup
  site?: Site
  look?: 'notice late'
}

const notice = ({ title, text, site, look }: Notice): string =>
  shell({
    title: site ? `${title} · ${site.name}` : title,
    head: html`<meta name="robots" content="noindex">
${site ? iconLink(site) : null}`,
    look: look ?? 'notice',
    main: html`<div class="card"><h1>${title}</h1>
${text}</div>`,
  })

/** The page for an unknown address of an existing site. */
export const pageNotFound = (site: Site): string =>
  notice({
    title: 'Page not found',
    text: html`<p class="soft">The page may have been renamed or deleted, or the address may be mistyped.</p>
<p class="actions"><a class="button" href="${site.url}/" dir="auto">Go to ${site.name}</a>
<a href="${site.url}/articles">Newest pages</a></p>`,
    site,
  })

/** The page for a name under which nothing exists. It gives no details, so that names cannot be probed. */
export const nothingHere = (): string =>
  notice({
    title: 'There is nothing at this address',
    text: html`<p class="soft">It may have been deleted, or the address may be mistyped.</p>`,
  })

/**
 * Sites cannot be shown in a frame. If a frame requests an address of a site, the site sends this document instead.
 *
 * If the frame belongs to a scripted page of the site, a script immediately opens the requested address in the whole
 * window. On other websites, and in browsers without scripts, the document shows a link to the requested address.
 *
 * @param url the requested address
 */
export const forward = (site: Site, url: string): string =>
  notice({
    title: 'Open this page in the whole window',
    text: html`<p class="soft">This link leads to <span dir="auto">${site.name}</span>, which cannot be shown inside another page.</p>
<p class="actions"><a class="button" href="${url}" target="_top">Continue</a></p>
<p class="soft"><small>${url}</small></p>
<script>${forwardScript.code}</script>`,
    site,
    look: 'notice late',
  })

export const methodNotAllowed = (method: string): string =>
  notice({
    title: 'Method not allowed',
    text: html`<p class="soft">This address does not accept ${method} requests.</p>`,
  })

/** @param detail a sentence that says what is wrong with the request */
export const malformedRequest = (detail: string): string =>
  notice({ title: 'Malformed request', text: html`<p class="soft">${detail}</p>` })

export const busy = (seconds: number): string =>
  notice({
    title: 'This page cannot be opened right now',
    text: html`<p class="soft">Try again in ${seconds} seconds.</p>`,
  })

/**
 * Returns the page for an internal error.
 *
 * @param reference the reference under which the error is logged
 */
export const internalError = (reference: string): string =>
  notice({
    title: 'Something went wrong',
    text: html`<p class="soft">The page could not be delivered. This is not the fault of the page. Try again; if the error persists, tell
the operator this reference: <code>${reference}</code>.</p>`,
  })
