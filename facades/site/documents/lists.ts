import { html, type Markup } from '../../../routers/api/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import type { ListedPage } from '../../../routers/delivery/list-pages.ts'
import { iconLink, iconPath, shell, titleOf } from './shell.ts'

/** A date in the language of the site, or in English if the language is unknown. */
const dayIn = (lang: string): Intl.DateTimeFormat => {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  try {
    return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, options)
  } catch {
    return new Intl.DateTimeFormat('en-GB', options)
  }
}

/** Marks words of the service, which are English, in a document in another language. */
const english = (lang: string, words: string): Markup =>
  html`<span${/^en\b/i.test(lang) ? null : html` lang="en"`}>${words}</span>`

/** A page in a list, with the title of its document; without one, the title comes from the slug. */
export type TitledPage = ListedPage & { title: string | null }

/** One section of a list that is too long to be shown at once. */
export interface ListPart {
  pages: readonly TitledPage[]
  /** The language of the home page; null if it has none. */
  lang: string | null
  /** The number of the section, from 1. */
  number: number
  hasNext: boolean
}

/** The home page of a site without an `index` page: a list of its pages by slug. */
export const homePage = (site: Site, part: ListPart): string =>
  shell({
    lang: part.lang ?? 'en',
    title: titleWithNumber(site.name, part),
    head: headOf(site, part, '/'),
    main: html`${heading(site, site.name, null, part.pages.length > 1 ? html`<a href="/articles">${english(part.lang ?? 'en', 'Newest first')}</a>` : null)}
${list(part.pages, page => html`<small>/${page.slug}</small>`)}
${turn(part, '/')}`,
  })

/** `/articles`: the pages of a site, newest first. */
export const articles = (site: Site, part: ListPart): string => {
  const lang = part.lang ?? 'en'
  const day = dayIn(lang)
  return shell({
    lang,
    title: titleWithNumber(`Articles · ${site.name}`, part),
    head: headOf(site, part, '/articles'),
    main: html`${heading(
      site,
      english(lang, 'Articles'),
      html`<a href="/" dir="auto">${site.name}</a>`,
      html`<a href="/articles.atom" type="application/atom+xml">${english(lang, 'Feed')}</a>`,
    )}
${list(part.pages, page => html`<small><time datetime="${page.createdAt.toISOString()}">${day.format(page.createdAt)}</time></small>`)}
${turn(part, '/articles')}`,
  })
}

const titleWithNumber = (title: string, { number }: ListPart): string =>
  number === 1 ? title : `${title} · Page ${number}`

const addressOf = (path: string, number: number): string => (number === 1 ? path : `${path}?page=${number}`)

/** Links to the previous and the next section. */
const turn = ({ number, hasNext, lang }: ListPart, path: string): Markup | null => {
  if (number === 1 && !hasNext) return null
  const previous = html`<a href="${addressOf(path, number - 1)}" rel="prev">${english(lang ?? 'en', 'Previous page')}</a>`
  const next = html`<a href="${addressOf(path, number + 1)}" rel="next">${english(lang ?? 'en', 'Next page')}</a>`
  return html`<nav class="turn" aria-label="Pages of this list">${number > 1 ? previous : null}${hasNext ? next : null}</nav>`
}

const headOf = (
  site: Site,
  { number }: ListPart,
  path: string,
): Markup => html`<link rel="canonical" href="${site.url}${addressOf(path === '/' && number === 1 ? '' : path, number)}">
<link rel="alternate" type="application/atom+xml" title="${site.name}" href="/articles.atom">
${iconLink(site)}`

const heading = (
  site: Site,
  title: string | Markup,
  above: Markup | null,
  links: Markup | null,
): Markup => html`<header>
${site.iconId ? html`<img src="${iconPath(site.iconId)}" alt="" width="52" height="52">` : null}
<div>${above ? html`<p>${above}</p>` : null}<h1 dir="auto">${title}</h1></div>
${links ? html`<nav>${links}</nav>` : null}
</header>`

const list = (pages: readonly TitledPage[], beside: (page: TitledPage) => Markup): Markup =>
  pages.length === 0
    ? html`<p class="card soft">This site has no pages yet.</p>`
    : html`<ul>
${pages.map(page => html`<li><a href="/${page.slug}"><strong dir="auto">${page.title ?? titleOf(page.slug)}</strong> ${beside(page)}</a></li>\n`)}</ul>`
