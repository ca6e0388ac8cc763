import MarkdownIt, { type Token } from 'markdown-it'

/** Levels of nesting that are looked into. Deeper brackets and quotes cost time and mean nothing to readers. */
const MAX_NESTING = 20

/** Schemes that a link or picture may lead to; an address without one stays within the post's own origin. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** What an address of the post's origin is told by; no real name ends in `.invalid`. */
const OWN_ORIGIN = 'https://post.invalid'

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.set({ maxNesting: MAX_NESTING })

// Bare addresses are links where they name a scheme; two slashes alone are often something else.
markdown.linkify.add('//', null)

// Read by the same rules as a browser reads it, so that no disguise of `javascript:` gets through.
markdown.validateLink = address =>
  URL.canParse(address, OWN_ORIGIN) && SCHEMES.has(new URL(address, OWN_ORIGIN).protocol)

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'noopener nofollow ugc')
  return renderer.renderToken(tokens, index, options)
}

/** A column's alignment as a class: style attributes would need a weaker Content-Security-Policy. */
const alignByClass = (token: Token) => {
  const side = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
  token.attrs = side ? [['class', `align-${side}`]] : null
}

for (const cell of ['th_open', 'td_open'])
  markdown.renderer.rules[cell] = (tokens, index, options, _env, renderer) => {
    alignByClass(tokens[index]!)
    return renderer.renderToken(tokens, index, options)
  }

/**
 * HTML for Markdown: CommonMark, tables, strikethrough and bare addresses as links (decision 36). HTML in it
 * comes out as literal text, so that the result holds no element but those that Markdown has signs for.
 */
export const markdownToHtml = (text: string): string => markdown.render(text)
