import { html, type Markup } from '../../../routers/core/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import { iconLink, shell } from './shell.ts'

const notice = (title: string, text: Markup, site: Site | null = null): string =>
  shell({
    title: site ? `${title} · ${site.name}` : title,
    head: html`<meta name="robots" content="noindex">
${site ? iconLink(site) : null}`,
    body: 'notice',
    main: html`<div class="card"><h1>${title}</h1>
${text}</div>`,
  })

/** There is such a site, but no such page. Links leave a frame, should the document be in one. */
export const noSuchPage = (site: Site): string =>
  notice(
    'There is no page here',
    html`<p class="soft">It may have been renamed or deleted, or the address has a typing mistake.</p>
<p class="ways"><a class="button" href="${site.url}/" target="_top" dir="auto">To ${site.name}</a>
<a href="${site.url}/articles" target="_top">Newest pages</a></p>`,
    site,
  )

/** Nothing is known of the name; which names are known is nobody's business. */
export const nothingHere = (): string =>
  notice(
    'There is nothing at this address',
    html`<p class="soft">It may have been deleted, or the address has a typing mistake.</p>`,
  )

/** In place of a site inside a frame: sites are not nested into each other. */
export const continueInWindow = (site: Site, url: string): string =>
  notice(
    'This link leads on',
    html`<p class="soft">It opens <span dir="auto">${site.name}</span> in the whole window.</p>
<p class="ways"><a class="button" href="${url}" target="_top">Continue</a></p>
<p class="soft"><small>${url}</small></p>`,
    site,
  )

export const onlyReading = (method: string): string =>
  notice('This address can only be read', html`<p class="soft">It does not accept ${method} requests.</p>`)

export const busy = (seconds: number): string =>
  notice(
    'This page cannot be opened right now',
    html`<p class="soft">Please try again in ${seconds} seconds.</p>`,
  )

/** @param reference number under which the fault stands in the log */
export const broken = (reference: string): string =>
  notice(
    'Something broke',
    html`<p class="soft">This is not the page's fault. Please try again; if it stays like this, tell the operator the reference
<code>${reference}</code>.</p>`,
  )
