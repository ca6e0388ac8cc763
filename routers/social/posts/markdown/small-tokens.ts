import MarkdownIt, { type Token } from 'markdown-it'

type Nesting = Token['nesting']

/**
 * A token of a block with only the fields that parsing and rendering read. A post of the maximum size can have a
 * million of these at a time, and markdown-it's own tokens take more than twice as much memory.
 */
class SmallToken {
  readonly type: string
  readonly tag: string
  readonly nesting: Nesting
  readonly level: number
  hidden = false
  attrs: Token['attrs'] = null
  content = ''
  info = ''

  constructor(type: string, tag: string, nesting: Nesting, level: number) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
    this.level = level
  }

  get block() {
    return true
  }

  // The parser sets these fields, but nothing reads them.
  set map(_: unknown) {}
  set markup(_: unknown) {}
  set children(_: unknown) {}
  set meta(_: unknown) {}
}

Object.setPrototypeOf(SmallToken.prototype, MarkdownIt.Token.prototype)

/** The state of markdown-it's block parser. Creates small tokens. */
export class SmallTokens extends MarkdownIt.StateBlock {
  override push(type: string, tag: string, nesting: Nesting): Token {
    if (nesting < 0) this.level--
    const token = new SmallToken(type, tag, nesting, this.level) as unknown as Token
    if (nesting > 0) this.level++
    this.tokens.push(token)
    return token
  }
}

/**
 * Like {@link SmallToken}, for a token inside a block. A paragraph of the maximum size can have a million of
 * these. Only links and images get the fields `attrs` and `children`.
 */
class SmallInlineToken {
  type: string
  tag: string
  nesting: Nesting
  readonly level: number
  content = ''

  constructor(type: string, tag: string, nesting: Nesting, level: number) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
    this.level = level
  }

  get block() {
    return false
  }

  get hidden() {
    return false
  }

  // The parser sets these fields, but nothing reads them.
  set markup(_: unknown) {}
  set info(_: unknown) {}
  set meta(_: unknown) {}
}

Object.setPrototypeOf(SmallInlineToken.prototype, MarkdownIt.Token.prototype)

/** Like {@link SmallTokens}, for markdown-it's inline parser, which parses the text inside a block. */
export class SmallInlineTokens extends MarkdownIt.StateInline {
  override pushPending(): Token {
    const token = new SmallInlineToken('text', '', 0, this.pendingLevel) as unknown as Token
    token.content = this.pending
    this.pending = ''
    this.tokens.push(token)
    return token
  }

  override push(type: string, tag: string, nesting: Nesting): Token {
    if (this.pending) this.pushPending()
    if (nesting < 0) {
      this.level--
      this.delimiters = this._prev_delimiters.pop()!
    }
    const token = new SmallInlineToken(type, tag, nesting, this.level) as unknown as Token
    this.tokens.push(token)
    if (nesting > 0) {
      this.level++
      this._prev_delimiters.push(this.delimiters)
      this.delimiters = []
      // The rules only need the list of all delimiters, not the token to which each entry belongs.
      this.tokens_meta.push({ delimiters: this.delimiters })
    }
    this.pendingLevel = this.level
    return token
  }
}
