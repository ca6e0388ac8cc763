import MarkdownIt from 'markdown-it'
import { MAX_NESTING, SCHEMES } from './dialect.ts'
import { LINK_REL } from './to-html.ts'

/** Syntax that comments do not support; its characters are shown unchanged. */
const WITHOUT = ['heading', 'lheading', 'hr', 'table', 'reference', 'image']

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
markdown.set({ maxNesting: MAX_NESTING })
markdown.disable(WITHOUT)
markdown.linkify.add('//', null)
// Allow only absolute addresses: relative ones would differ between the places where a comment is shown.
markdown.validateLink = address => URL.canParse(address) && SCHEMES.has(new URL(address).protocol)
markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', LINK_REL)
  return renderer.renderToken(tokens, index, options)
}

/**
 * Converts the Markdown of a comment to HTML: paragraphs, line breaks, emphasis, links, lists, quotes and code. HTML in
 * the text is escaped, so that the result contains only these elements.
 */
export const commentToHtml = (text: string): string => markdown.render(text)
