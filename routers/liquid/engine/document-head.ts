import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'

/** Characters looked at: what a document says about itself stands at its beginning. */
const LOOKED_AT = 16_384

/** Characters kept of either. */
const KEPT = 300

/** What a document says about itself; null where it does not. */
export interface DocumentHead {
  title: string | null
  description: string | null
}

/** Elements whose content is text and not markup. */
const TEXT_ELEMENTS: Record<string, number> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
}

/** The first `<title>` and the first `<meta name="description">` near the beginning of a rendered document. */
export function documentHead(html: string): DocumentHead {
  const reader = new HeadReader()
  reader.tokenizer.write(html.slice(0, LOOKED_AT), true)
  return { title: tidy(reader.title), description: tidy(reader.description) }
}

function tidy(text: string | null): string | null {
  const tidied = text
    ?.slice(0, KEPT * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return tidied ? tidied.slice(0, KEPT).toWellFormed() : null
}

class HeadReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({}, this)
  title: string | null = null
  description: string | null = null
  private inTitle = false

  onStartTag(token: Token.TagToken): void {
    const { tagName } = token
    if (tagName === 'body') this.tokenizer.pause()
    const mode = TEXT_ELEMENTS[tagName]
    if (mode !== undefined) {
      // As the tree builder does; without it the text of a script could be taken for markup.
      this.tokenizer.state = mode
      this.tokenizer.lastStartTagName = tagName
    }
    if (tagName === 'title' && this.title === null) {
      this.title = ''
      this.inTitle = true
    }
    if (tagName === 'meta') this.readMeta(token)
  }

  onEndTag(token: Token.TagToken): void {
    if (token.tagName === 'title') this.inTitle = false
    if (token.tagName === 'head') this.tokenizer.pause()
    this.stopWhenComplete()
  }

  onCharacter(token: Token.CharacterToken): void {
    if (this.inTitle) this.title += token.chars
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  private readMeta(token: Token.TagToken): void {
    const attribute = (name: string) => token.attrs.find(attr => attr.name === name)?.value
    if (this.description !== null || attribute('name')?.toLowerCase() !== 'description') return
    this.description = attribute('content') ?? ''
    this.stopWhenComplete()
  }

  private stopWhenComplete(): void {
    if (this.title !== null && !this.inTitle && this.description !== null) this.tokenizer.pause()
  }
}
