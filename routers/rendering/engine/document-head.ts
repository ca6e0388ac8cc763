import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { DocumentHead } from '../../api/renderer.ts'
import {
  type Attributes,
  address,
  direction,
  headLink,
  headMeta,
  json,
  language,
  tidy,
} from './head-fields.ts'

/** Number of characters that are searched; a head is at the beginning. */
const SEARCHED = 65_536

/**
 * Maximum number of `meta` and `link` elements, maximum number of JSON-LD blocks, and maximum total length of all of
 * these as JSON, in characters.
 */
const MAX_ELEMENTS = 64
const MAX_BLOCKS = 8
const MAX_LENGTH = 32_768

/** Elements whose content is text, not markup. */
const TEXT_ELEMENTS: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['title', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
])

/** Elements of a head. Every other start tag begins the body. */
const HEAD_ELEMENTS = new Set(
  'html head title meta link base style script noscript template basefont bgsound'.split(' '),
)

/**
 * Reads the metadata in the head of a rendered document. Shortens text, makes addresses absolute, and keeps only fields
 * that are known to be harmless on another origin.
 *
 * @param url the document's URL, against which relative addresses are resolved unless the document has a `<base>`
 */
export function documentHead(html: string, url: string): DocumentHead {
  const reader = new HeadReader()
  reader.tokenizer.write(html.slice(0, SEARCHED), true)
  return reader.result(url)
}

/** The head of a document without metadata. */
export const EMPTY_HEAD: DocumentHead = { title: null, lang: null, dir: null, metas: [], links: [], data: [] }

class HeadReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({}, this)
  private readonly elements: { tagName: string; attribute: Attributes }[] = []
  private readonly blocks: string[] = []
  private title: string | null = null
  private base: string | undefined
  private root: Attributes = () => undefined
  /** The element whose text is being read. */
  private reading: 'title' | 'data' | undefined
  /** Whether one of the `TEXT_ELEMENTS` is open. */
  private inText = false
  private isOver = false

  result(url: string): DocumentHead {
    const base = address(this.base, url) ?? url
    const head = {
      ...EMPTY_HEAD,
      title: tidy(this.title),
      lang: language(this.root('lang')),
      dir: direction(this.root('dir')),
    }
    const of = <Found>(tagName: string, read: (attribute: Attributes, base: string) => Found | null) =>
      this.elements
        .filter(element => element.tagName === tagName)
        .flatMap(element => read(element.attribute, base) ?? [])
    const within = limited(MAX_LENGTH)
    return {
      ...head,
      metas: of('meta', headMeta).filter(within),
      links: of('link', headLink).filter(within),
      data: this.blocks.flatMap(block => json(block) ?? []).filter(within),
    }
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName } = token
    if (!HEAD_ELEMENTS.has(tagName)) this.end()
    if (this.isOver) return
    const attribute: Attributes = name => token.attrs.find(attr => attr.name === name)?.value
    const mode = TEXT_ELEMENTS.get(tagName)
    if (mode !== undefined) {
      // Switches the mode as parse5's tree builder does; otherwise the text of a script could be read as markup.
      this.tokenizer.state = mode
      this.tokenizer.lastStartTagName = tagName
      this.inText = true
    }
    if (tagName === 'html') this.root = attribute
    else if (tagName === 'title' && this.title === null) this.begin('title')
    else if (tagName === 'script' && isData(attribute('type'))) this.begin('data')
    else if (tagName === 'base') this.base ??= attribute('href')
    else if (this.elements.length < MAX_ELEMENTS) this.elements.push({ tagName, attribute })
  }

  onEndTag(token: Token.TagToken): void {
    this.reading = undefined
    this.inText = false
    if (token.tagName === 'head') this.end()
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.reading === 'title') this.title += chars
    else if (this.reading === 'data') this.blocks[this.blocks.length - 1] += chars
    else if (!this.inText) this.end()
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    if (this.reading !== undefined) this.onCharacter(token)
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  private begin(what: 'title' | 'data'): void {
    if (what === 'title') this.title = ''
    else if (this.blocks.length < MAX_BLOCKS) this.blocks.push('')
    else return
    this.reading = what
  }

  private end(): void {
    this.isOver = true
    this.tokenizer.pause()
  }
}

const isData = (type: string | undefined): boolean => type?.trim().toLowerCase() === 'application/ld+json'

/** Accepts values until their total length as JSON exceeds a limit. */
function limited(length: number): (value: unknown) => boolean {
  let left = length
  return value => {
    left -= JSON.stringify(value).length
    return left >= 0
  }
}
