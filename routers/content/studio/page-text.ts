import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'

/** Elements that begin a new line. */
const LINES = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)

/** Elements whose line is not followed by a blank line. */
const ITEMS = new Set(['li', 'tr', 'td', 'th', 'dt', 'dd', 'br'])

/** Elements whose text is not shown to visitors. */
const HIDDEN: Readonly<Record<string, number>> = {
  title: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
}

/**
 * Returns what visitors read on a page: its text by line, with headings marked as in Markdown, the targets of links,
 * and the descriptions of pictures.
 */
export const pageText = (html: string): string => {
  const reader = new TextReader()
  reader.tokenizer.write(html, true)
  return reader.text
    .replace(/[ \t\r\f]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

class TextReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({}, this)
  text = ''
  private hidden: string | undefined
  private link: string | undefined
  /** Whether the text ends with the target of a link. */
  private endsWithTarget = false

  onStartTag({ tagName, attrs }: Token.TagToken): void {
    const attribute = (name: string) => attrs.find(attr => attr.name === name)?.value
    const mode = Object.hasOwn(HIDDEN, tagName) ? HIDDEN[tagName] : undefined
    if (mode !== undefined) {
      this.tokenizer.state = mode
      this.tokenizer.lastStartTagName = tagName
      this.hidden = tagName
    }
    if (LINES.has(tagName)) this.text += '\n'
    if (/^h[1-6]$/.test(tagName)) this.text += `${'#'.repeat(Number(tagName[1]))} `
    if (tagName === 'li') this.text += '- '
    if (tagName === 'td' || tagName === 'th') this.text += ' | '
    if (tagName === 'a') this.link = attribute('href')
    if (tagName === 'img') this.text += `[picture: ${attribute('alt') ?? ''}]`
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (tagName === this.hidden) this.hidden = undefined
    if (LINES.has(tagName) && !ITEMS.has(tagName)) this.text += '\n'
    if (tagName === 'a' && this.link !== undefined) {
      this.text += ` (${this.link})`
      this.link = undefined
      this.endsWithTarget = true
    }
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.hidden !== undefined) return
    // Separates adjacent links, which style sheets often separate only visually.
    if (this.endsWithTarget && /^[\p{L}\p{N}]/u.test(chars)) this.text += ' '
    this.endsWithTarget = false
    this.text += chars.replaceAll('\n', ' ')
  }

  onWhitespaceCharacter(): void {
    if (this.hidden === undefined) this.text += ' '
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
