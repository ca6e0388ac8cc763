import type { Token as TemplateToken } from 'liquidjs'
import { type Token, type TokenHandler, Tokenizer } from 'parse5'
import {
  MARK_ATTRIBUTE,
  type MarkedElement,
  type PageMarks,
  type PictureChoice,
  type SourceRange,
  type WrittenContent,
} from '../../api/renderer.ts'
import { whereIs } from './explain.ts'
import { TEXT_ELEMENTS } from './link-hints.ts'
import type { Piece } from './trace.ts'

/** Maximum number of marks. The elements after them have none. */
const MAX_MARKS = 20_000

/** Maximum number of texts and values that are listed for one element. */
const MAX_CONTENTS = 20

/** Elements that are not visible. */
const UNMARKED = new Set(['html', 'head', 'title', 'meta', 'link', 'base', 'style', 'script'])

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr frame keygen bgsound basefont'.split(
    ' ',
  ),
)

/** An element of the document. Offsets are in the document, `end` being the end of its end tag. */
interface Element {
  name: string
  begin: number
  tagEnd: number
  end: number
  /** The value of the attribute `src`. */
  src: [begin: number, end: number] | undefined
  texts: [begin: number, end: number][]
  hasChildren: boolean
  isForeign: boolean
}

/** Reads the elements of a document and the text directly inside each. */
class ElementReader implements TokenHandler {
  private readonly tokenizer: Tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  private readonly elements: Element[] = []
  private readonly open: Element[] = []
  private readonly html: string
  private readonly isScripted: boolean

  constructor(html: string, isScripted: boolean) {
    this.html = html
    this.isScripted = isScripted
  }

  read(): readonly Element[] {
    this.tokenizer.write(this.html, true)
    return this.elements
  }

  onStartTag({ tagName, selfClosing, location }: Token.TagToken): void {
    const outer = this.open.at(-1)
    const isForeign = outer?.isForeign === true || tagName === 'svg' || tagName === 'math'
    if (outer) outer.hasChildren = true
    const { startOffset: begin, endOffset: tagEnd, attrs } = location!
    const src = attrs?.src && this.valueIn(attrs.src.startOffset, attrs.src.endOffset)
    const element = {
      name: tagName,
      begin,
      tagEnd,
      end: tagEnd,
      src,
      texts: [],
      hasChildren: false,
      isForeign,
    }
    this.elements.push(element)
    if (isForeign ? selfClosing : VOID.has(tagName)) return
    this.open.push(element)
    this.tokenizer.inForeignNode = isForeign
    const mode = tagName === 'noscript' && !this.isScripted ? undefined : TEXT_ELEMENTS.get(tagName)
    if (mode === undefined) return
    this.tokenizer.state = mode
    this.tokenizer.lastStartTagName = tagName
  }

  onEndTag({ tagName, location }: Token.TagToken): void {
    const at = this.open.findLastIndex(({ name }) => name === tagName)
    if (at === -1) return
    const [element] = this.open.splice(at)
    element!.end = location!.endOffset
    this.tokenizer.inForeignNode = this.open.at(-1)?.isForeign === true
  }

  onCharacter({ location }: Token.CharacterToken): void {
    const { startOffset: begin, endOffset: end } = location!
    const texts = this.open.at(-1)?.texts
    const last = texts?.at(-1)
    if (last?.[1] === begin) last[1] = end
    else texts?.push([begin, end])
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  /** The range of the value of an attribute, without quotes. */
  private valueIn(begin: number, end: number): [begin: number, end: number] | undefined {
    const [, name = '', quote = ''] = /^([^=]*=\s*)(["']?)/.exec(this.html.slice(begin, end)) ?? []
    return name === '' ? undefined : [begin + name.length + quote.length, end - quote.length]
  }

  onComment(): void {
    const outer = this.open.at(-1)
    if (outer) outer.hasChildren = true
  }

  onDoctype(): void {}
  onEof(): void {}
}

/**
 * Marks the start tags of a document with numbers, and says where each element and the values in it are written.
 *
 * @param pieces what wrote the document, in order
 * @param page `slug` names the page in the result
 */
export function withMarks(
  html: string,
  pieces: readonly Piece[],
  { slug, kind }: { slug: string; kind: 'scripted' | 'static' },
): { html: string; marks: PageMarks } {
  const sources = new Sources(html, pieces, slug)
  const marked: string[] = []
  const elements: MarkedElement[] = []
  let copied = 0
  for (const element of new ElementReader(html, kind === 'scripted').read()) {
    if (UNMARKED.has(element.name)) continue
    if (elements.length >= MAX_MARKS) break
    const found = sources.of(element)
    if (!found) continue
    const at = element.begin + 1 + element.name.length
    marked.push(html.slice(copied, at), ` ${MARK_ATTRIBUTE}="${elements.length}"`)
    copied = at
    elements.push(found)
  }
  marked.push(html.slice(copied))
  return { html: marked.join(''), marks: { bodies: sources.bodies, elements } }
}

/** Finds where pieces of a document are written. */
class Sources {
  readonly bodies: PageMarks['bodies'] = []
  private readonly numbers = new Map<string | undefined, number>()
  private readonly html: string
  private readonly pieces: readonly Piece[]
  private readonly slug: string

  constructor(html: string, pieces: readonly Piece[], slug: string) {
    this.html = html
    this.pieces = pieces
    this.slug = slug
  }

  /** Where an element is written, and what is printed in it. Undefined if nothing is known about it. */
  of({ name, begin, tagEnd, end, src, texts, hasChildren }: Element): MarkedElement | undefined {
    const first = this.pieces[this.indexAt(begin)]
    if (!first) return undefined
    const at = this.range(first, begin, end)
    const inTag = this.contentsIn(begin, tagEnd, true).filter(({ isLiteral }) => !isLiteral)
    const inText = texts.flatMap(([from, to]) => this.contentsIn(from, to, false))
    const whole = hasChildren ? undefined : this.onlyPiece(texts)
    if (whole && (whole.source !== undefined || whole.isUnchanged))
      for (const content of inText) content.isWholeText = true
    return {
      name,
      ...at,
      tagEnd: this.range(first, begin, tagEnd).end,
      isLiteral: first.source !== undefined,
      contents: [...inTag, ...inText].slice(0, MAX_CONTENTS),
      picture: name === 'img' && src ? this.pictureIn(...src) : null,
    }
  }

  /** The piece that alone wrote all text in `texts` except the white space around it. */
  private onlyPiece(texts: Element['texts']): Piece | undefined {
    const [begin, end] = this.trimmed(texts[0]?.[0] ?? 0, texts.at(-1)?.[1] ?? 0)
    return begin < end ? this.pieceOf(begin, end) : undefined
  }

  /** The piece that alone wrote the document from `begin` to `end`, and if it is not literal, nothing else. */
  private pieceOf(begin: number, end: number): Piece | undefined {
    const index = this.indexAt(begin)
    const piece = this.pieces[index]
    if (!piece || this.endOf(index) < end) return undefined
    return piece.source !== undefined || piece.begin === begin ? piece : undefined
  }

  private trimmed(from: number, to: number): [begin: number, end: number] {
    const whole = this.html.slice(from, to)
    return [from + whole.length - whole.trimStart().length, from + whole.trimEnd().length]
  }

  private contentsIn(from: number, to: number, isInTag: boolean): WrittenContent[] {
    const contents: WrittenContent[] = []
    for (let index = this.indexAt(from); index < this.pieces.length; index += 1) {
      const piece = this.pieces[index]
      if (!piece || piece.begin >= to) break
      const isLiteral = piece.source !== undefined
      const [begin, end] = this.trimmed(Math.max(from, piece.begin), Math.min(to, this.endOf(index)))
      if (isLiteral && begin >= end) continue
      const range = isLiteral ? this.range(piece, begin, end) : this.tokenRange(piece.token)
      const { record = null, isUnchanged } = piece
      contents.push({ ...range, record, isInTag, isLiteral, isUnchanged, isWholeText: false })
    }
    return contents
  }

  /** Where the picture with the address from `begin` to `end` is chosen. */
  private pictureIn(begin: number, end: number): PictureChoice | null {
    const piece = this.pieceOf(begin, end)
    if (!piece) return null
    const { source, record = null, isUnchanged, file } = piece
    if (source !== undefined) return { by: 'url', source: this.range(piece, begin, end), record: null }
    if (this.endOf(this.indexAt(begin)) !== end) return null
    if (file)
      return 'record' in file
        ? { by: 'name', source: null, record: file.record }
        : {
            by: 'name',
            source: { ...this.tokenRange(file.token), begin: file.begin, end: file.end },
            record: null,
          }
    return isUnchanged && record ? { by: 'url', source: null, record } : null
  }

  /** The range in the source from `from` to `to`; the tag or output that wrote `from` if it is not literal. */
  private range(first: Piece, from: number, to: number): SourceRange {
    const { body, begin, end } = this.tokenRange(first.token)
    if (first.source === undefined) return { body, begin, end }
    const source = first.source + from - first.begin
    const last = this.pieces[this.indexAt(to - 1)]
    const lastEnd = last?.source === undefined ? 0 : last.source + to - last.begin
    const isSameBody = last?.token.file === first.token.file
    return { body, begin: source, end: isSameBody && lastEnd > source ? lastEnd : Math.max(end, source) }
  }

  private tokenRange({ file, begin, end }: TemplateToken): SourceRange {
    let body = this.numbers.get(file)
    if (body === undefined) {
      body = this.bodies.push(whereIs(file, this.slug)) - 1
      this.numbers.set(file, body)
    }
    return { body, begin, end }
  }

  /** Index of the piece that wrote the character at an offset; -1 if there is none. */
  private indexAt(offset: number): number {
    let low = 0
    let high = this.pieces.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.pieces[middle]!.begin <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private endOf(index: number): number {
    return this.pieces[index + 1]?.begin ?? this.html.length
  }
}
