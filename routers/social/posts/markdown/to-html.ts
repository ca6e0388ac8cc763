import type { Env, Token } from 'markdown-it'
import { newMarkdown } from './dialect.ts'
import { SmallInlineTokens, SmallTokens } from './small-tokens.ts'

/** Value of the `rel` attribute of links in posts and comments that are written as Markdown. */
export const LINK_REL = 'noopener nofollow ugc'

const markdown = newMarkdown()
markdown.inline.State = SmallInlineTokens

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', LINK_REL)
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

/** Number of tokens that are rendered together. */
const TOKENS_AT_ONCE = 1_000

/**
 * Renders the tokens of blocks. Parses the text inside a block only when the block is rendered, so that the inline
 * tokens of only one block are in memory at a time.
 */
const render = (tokens: Token[], env: Env): string => {
  const { renderer, options } = markdown
  let html = ''
  for (let start = 0; start < tokens.length; start += TOKENS_AT_ONCE) {
    const pieces = tokens.slice(start, start + TOKENS_AT_ONCE).map(({ type, content }, offset) => {
      if (type === 'inline') return render(markdown.parseInline(content, env)[0]!.children!, env)
      const rule = renderer.rules[type]
      return rule
        ? rule(tokens, start + offset, options, env, renderer)
        : renderer.renderToken(tokens, start + offset, options)
    })
    // Join the pieces, because a string that is built by concatenation keeps every piece in memory.
    html += pieces.join('')
  }
  return html
}

/** Receives the tokens of complete top-level blocks. */
type OnBlocks = (tokens: Token[]) => void

/**
 * Parses blocks, but not the text inside the blocks. Passes tokens to `env.onBlocks` in groups while parsing, and does
 * not keep them. All tokens of the longest possible post would take hundreds of megabytes of memory.
 */
const blocks = newMarkdown()
blocks.disable(['inline', 'linkify', 'text_join'])
blocks.block.State = SmallTokens
blocks.block.ruler.before('table', 'pass_on', ({ level, tokens, env }) => {
  if (level === 0 && tokens.length >= TOKENS_AT_ONCE) (env.onBlocks as OnBlocks)(tokens.splice(0))
  return false
})

/**
 * Converts Markdown to HTML: CommonMark with tables, strikethrough and links for bare URLs. HTML in the text is
 * escaped, so that the result contains only elements that Markdown has syntax for.
 */
export const markdownToHtml = (text: string): string => {
  let html = ''
  const env: Env = {}
  const parse = (onBlocks: OnBlocks) => onBlocks(blocks.parse(text, Object.assign(env, { onBlocks })))
  // A link may come before the definition of its address, so collect all definitions first.
  if (text.includes(']:')) parse(() => {})
  parse(tokens => {
    html += render(tokens, env)
  })
  return html
}
