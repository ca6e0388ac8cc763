import MarkdownIt, { type Token } from 'markdown-it'

/** Maximum nesting. Deeper brackets and quotes cost time and mean nothing to readers. */
const MAX_NESTING = 20

/** Schemes that links and images can use; a relative URL stays within the post's own origin. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Stands for the post's own origin; no real host ends in `.invalid`. */
const OWN_ORIGIN = 'https://post.invalid'

const newMarkdown = () => {
  const created = new MarkdownIt({ html: false, linkify: true })
  created.set({ maxNesting: MAX_NESTING })
  // Only bare URLs with a scheme become links; `//` alone is often something else.
  created.linkify.add('//', null)
  // Parsed as a browser does, so that no obfuscated `javascript:` gets through.
  created.validateLink = address =>
    URL.canParse(address, OWN_ORIGIN) && SCHEMES.has(new URL(address, OWN_ORIGIN).protocol)
  return created
}

const markdown = newMarkdown()

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'noopener nofollow ugc')
  return renderer.renderToken(tokens, index, options)
}

/** Turns a column's alignment into a class: style attributes would need a weaker Content-Security-Policy. */
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
 * Finds the blocks of a text. The text of each block is parsed only when the block is rendered, because all tokens
 * of a text of the maximum size would take hundreds of megabytes.
 */
const blocks = newMarkdown()
blocks.disable(['inline', 'linkify', 'text_join'])
blocks.renderer = markdown.renderer
blocks.core.ruler.push('parse_when_rendered', ({ tokens, env }) => {
  for (const token of tokens)
    if (token.type === 'inline')
      Object.defineProperty(token, 'children', {
        get: () => markdown.parseInline(token.content, env)[0]!.children,
      })
})

/**
 * Converts Markdown to HTML: CommonMark with tables, strikethrough and links for bare URLs. HTML in it is
 * escaped, so that the result contains only elements that Markdown has syntax for.
 */
export const markdownToHtml = (text: string): string => blocks.render(text)
