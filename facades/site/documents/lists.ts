import { html, type Markup } from '../../../routers/core/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import type { ListedPage } from '../../../routers/delivery/list-pages.ts'
import { iconLink, iconPath, shell, titleOf } from './shell.ts'

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The start page of a site without an `index` page: its pages by slug (decision 20). */
export const startPage = (site: Site, pages: readonly ListedPage[]): string =>
  shell({
    title: site.name,
    head: headOf(site, site.url),
    main: html`${heading(site, site.name, null, pages.length > 1 ? html`<a href="/articles">Newest first</a>` : null)}
${list(
  pages.toSorted((one, other) => (one.slug < other.slug ? -1 : 1)),
  page => html`<small>/${page.slug}</small>`,
)}`,
  })

/** `/articles`: the pages of a site, newest first (decision 20). */
export const articles = (site: Site, pages: readonly ListedPage[]): string =>
  shell({
    title: `Articles · ${site.name}`,
    head: headOf(site, `${site.url}/articles`),
    main: html`${heading(
      site,
      'Articles',
      html`<a href="/" dir="auto">${site.name}</a>`,
      html`<a href="/articles.atom" type="application/atom+xml">Feed</a>`,
    )}
${list(pages, page => html`<small><time datetime="${page.createdAt.toISOString()}">${DAY.format(page.createdAt)}</time></small>`)}`,
  })

const headOf = (site: Site, url: string): Markup => html`<link rel="canonical" href="${url}">
<link rel="alternate" type="application/atom+xml" title="${site.name}" href="/articles.atom">
${iconLink(site)}`

const heading = (
  site: Site,
  title: string,
  above: Markup | null,
  links: Markup | null,
): Markup => html`<header>
${site.iconId ? html`<img src="${iconPath(site.iconId)}" alt="" width="52" height="52">` : null}
<div>${above ? html`<p>${above}</p>` : null}<h1 dir="auto">${title}</h1></div>
${links ? html`<nav>${links}</nav>` : null}
</header>`

const list = (pages: readonly ListedPage[], beside: (page: ListedPage) => Markup): Markup =>
  pages.length === 0
    ? html`<p class="card soft">This site has no pages yet.</p>`
    : html`<ul>
${pages.map(page => html`<li><a href="/${page.slug}"><strong>${titleOf(page.slug)}</strong> ${beside(page)}</a></li>\n`)}</ul>`
