import type { Token as TemplateToken } from 'liquidjs'
import { type Token, type TokenHandler, Tokenizer } from 'parse5'
import { MARK_ATTRIBUTE, type MarkedElement, type PageMarks, type PrintedValue } from '../../api/renderer.ts'
import { whereIs } from './explain.ts'
import { TEXT_ELEMENTS } from './link-hints.ts'
import type { Piece } from './trace.ts'

/** Maximum number of marks. The elements after them have none. */
const MAX_MARKS = 20_000

/** Maximum number of values that are listed for one element. */
const MAX_VALUES = 20

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
  texts: [begin: number, end: number][]
  hasChildren: boolean
  isForeign: boolean
}

/** Reads the elements of a document and the text directly inside each. */
class ElementReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  readonly elements: Element[] = []
  private readonly open: Element[] = []
  private readonly isScripted: boolean

  constructor(isScripted: boolean) {
    this.isScripted = isScripted
  }

  onStartTag({ tagName, selfClosing, location }: Token.TagToken): void {
    const outer = this.open.at(-1)
    const isForeign = outer?.isForeign === true || tagName === 'svg' || tagName === 'math'
    if (outer) outer.hasChildren = true
    const { startOffset: begin, endOffset: tagEnd } = location!
    const element = { name: tagName, begin, tagEnd, end: tagEnd, texts: [], hasChildren: false, isForeign }
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
  const reader = new ElementReader(kind === 'scripted')
  reader.tokenizer.write(html, true)
  const sources = new Sources(html, pieces, slug)
  const marked: string[] = []
  const elements: MarkedElement[] = []
  let copied = 0
  for (const element of reader.elements) {
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
  of({ name, begin, tagEnd, end, texts, hasChildren }: Element): MarkedElement | undefined {
    const first = this.pieces[this.indexAt(begin)]
    if (!first) return undefined
    const at = this.range(first, begin, end)
    const inText = texts.flatMap(([from, to]) => this.valuesIn(from, to, false))
    const whole = hasChildren ? undefined : this.onlyPiece(texts)
    const values = [...this.valuesIn(begin, tagEnd, true), ...inText].slice(0, MAX_VALUES)
    if (whole?.piece.isUnchanged) for (const value of inText) value.isWholeText = true
    return {
      name,
      ...at,
      tagEnd: this.range(first, begin, tagEnd).end,
      isLiteral: first.source !== undefined,
      values,
      text:
        whole && whole.piece.source !== undefined ? this.range(whole.piece, whole.begin, whole.end) : null,
    }
  }

  /** The piece that alone wrote all text in `texts` except the white space around it, and where that text is. */
  private onlyPiece(texts: Element['texts']): { piece: Piece; begin: number; end: number } | undefined {
    const from = texts[0]?.[0] ?? 0
    const whole = this.html.slice(from, texts.at(-1)?.[1] ?? 0)
    const begin = from + whole.length - whole.trimStart().length
    const end = from + whole.trimEnd().length
    if (begin >= end) return undefined
    const index = this.indexAt(begin)
    const piece = this.pieces[index]
    return piece && this.endOf(index) >= end && (piece.source !== undefined || piece.begin === begin)
      ? { piece, begin, end }
      : undefined
  }

  private valuesIn(from: number, to: number, isInTag: boolean): PrintedValue[] {
    const values: PrintedValue[] = []
    for (let index = this.indexAt(from); index < this.pieces.length; index += 1) {
      const piece = this.pieces[index]
      if (!piece || piece.begin >= to) break
      if (piece.source !== undefined) continue
      const { body, begin, end } = this.tokenRange(piece.token)
      const { record = null, isUnchanged } = piece
      values.push({ body, begin, end, record, isInTag, isUnchanged, isWholeText: false })
    }
    return values
  }

  /** The range in the source from `from` to `to`; the tag or output that wrote `from` if it is not literal. */
  private range(first: Piece, from: number, to: number): { body: number; begin: number; end: number } {
    const { body, begin, end } = this.tokenRange(first.token)
    if (first.source === undefined) return { body, begin, end }
    const source = first.source + from - first.begin
    const last = this.pieces[this.indexAt(to - 1)]
    const lastEnd = last?.source === undefined ? 0 : last.source + to - last.begin
    const isSameBody = last?.token.file === first.token.file
    return { body, begin: source, end: isSameBody && lastEnd > source ? lastEnd : Math.max(end, source) }
  }

  private tokenRange({ file, begin, end }: TemplateToken): { body: number; begin: number; end: number } {
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
