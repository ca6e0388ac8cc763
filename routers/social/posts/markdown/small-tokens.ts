import MarkdownIt, { type Token } from 'markdown-it'

type Nesting = Token['nesting']

/**
 * A token of a block with only the fields that parsing and rendering read. A text of the maximum size can have a
 * million of these at a time, and markdown-it's own take more than twice as much memory.
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

/** A state of the block parser that creates small tokens. */
export class SmallTokens extends MarkdownIt.StateBlock {
  override push(type: string, tag: string, nesting: Nesting): Token {
    if (nesting < 0) this.level--
    const token = new SmallToken(type, tag, nesting, this.level) as unknown as Token
    if (nesting > 0) this.level++
    this.tokens.push(token)
    return token
  }
}
