import MarkdownIt from 'markdown-it'
import { type Content, html, Markup } from '../../routers/api/html.ts'
import { block } from './prose.ts'

const LABELS: Record<string, string> = { sh: 'Shell', js: 'JavaScript', ts: 'TypeScript' }

/** A document of the project, as markup for a page of the reference. */
export interface Rendered {
  title: string
  /** The headings of the second level, with their anchors. */
  chapters: { id: string; title: string }[]
  main: Markup
}

const idOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-')

/**
 * Renders a document of the project, which begins with its title.
 *
 * @param before what is shown above the text
 */
export const renderedDocument = (text: string, before: Content = null): Rendered => {
  const [, title, rest] = /^# (.*)\n([\s\S]*)$/.exec(text)!
  const chapters: Rendered['chapters'] = []
  const markdown = new MarkdownIt({ html: false })
  const { rules } = markdown.renderer
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index]!
    return block(LABELS[info] ?? info, content.replace(/\n$/, '')).text
  }
  let above = ''
  rules.heading_open = (tokens, index) => {
    const { tag } = tokens[index]!
    const heading = tokens[index + 1]!.content
    // Versions have the same headings.
    const id = tag === 'h2' ? idOf(heading) : `${above}-${idOf(heading)}`
    if (tag === 'h2') {
      above = id
      chapters.push({ id, title: heading })
    }
    return `<${tag} id="${id}">`
  }
  // Links to other documents lead nowhere here.
  const isKept = (href: unknown) => typeof href === 'string' && /^(?:#|https?:)/.test(href)
  rules.link_open = (tokens, index) => {
    const href = String(tokens[index]!.attrGet('href'))
    return isKept(href) ? html`<a href="${href}">`.text : '<span>'
  }
  rules.link_close = (tokens, index) => {
    const opening = tokens.slice(0, index).findLast(({ type }) => type === 'link_open')
    return isKept(opening?.attrGet('href')) ? '</a>' : '</span>'
  }
  const main = html`<header><h1>${title}</h1></header>${before}<div class="text">${new Markup(markdown.render(rest!))}</div>`
  return { title: title!, chapters, main }
}
