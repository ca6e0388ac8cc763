import MarkdownIt, { type Token } from 'markdown-it'

/** Maximum nesting of quotes, lists and brackets. Deeper nesting takes time to parse and is not useful to readers. */
const MAX_NESTING = 20

/** Schemes that links and images can use; a relative URL stays within the post's own origin. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** A placeholder for the post's own origin; no real host ends in `.invalid`. */
const OWN_ORIGIN = 'https://post.invalid'

const newMarkdown = () => {
  const created = new MarkdownIt({ html: false, linkify: true })
  created.set({ maxNesting: MAX_NESTING })
  // Do not turn text that begins with `//` into a link, because it is often not a URL.
  created.linkify.add('//', null)
  // Parse the address like a browser, so that an obfuscated `javascript:` is recognized.
  created.validateLink = address =>
    URL.canParse(address, OWN_ORIGIN) && SCHEMES.has(new URL(address, OWN_ORIGIN).protocol)
  return created
}

const markdown = newMarkdown()

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'noopener nofollow ugc')
  return renderer.renderToken(tokens, index, options)
}

/**
 * Turns the alignment of a table column into a class, because a style attribute would need a weaker
 * Content-Security-Policy.
 */
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
 * Parses only the blocks of a text. The text inside a block is parsed when the block is rendered, because all tokens of
 * a text of the maximum size would take hundreds of megabytes.
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
 * Converts Markdown to HTML: CommonMark with tables, strikethrough and links for bare URLs. HTML in the text is
 * escaped, so that the result contains only elements that Markdown has syntax for.
 */
export const markdownToHtml = (text: string): string => blocks.render(text)
