import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'

/** Number of characters that are searched; title and description come near the beginning. */
const SEARCHED = 16_384

/** Longest title and description, in characters. */
const MAX_LENGTH = 300

/** A document's title and description; null if it has none. */
export interface DocumentHead {
  title: string | null
  description: string | null
}

/** Elements whose content is text, not markup. */
const TEXT_ELEMENTS: Record<string, number> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
}

/** Finds the first `<title>` and the first `<meta name="description">` near the beginning of a rendered document. */
export function documentHead(html: string): DocumentHead {
  const reader = new HeadReader()
  reader.tokenizer.write(html.slice(0, SEARCHED), true)
  return { title: tidy(reader.title), description: tidy(reader.description) }
}

function tidy(text: string | null): string | null {
  const tidied = text
    ?.slice(0, MAX_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return tidied ? tidied.slice(0, MAX_LENGTH).toWellFormed() : null
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
      // Switches the mode as parse5's tree builder does; otherwise the text of a script could be read as markup.
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
