import type { Mark, Node } from 'prosemirror-model'
import { marks, nodes } from './schema.ts'

/** How text is written. The first way that leads back to the same text is used. */
export interface Style {
  escape: (text: string) => string
  /** The sign of emphasis. */
  em: '*' | '_'
}

const plain = (text: string) => text

/** Escapes what has a meaning within a line. */
const escapeSyntax = (text: string) =>
  text
    .replace(/[\\`*~[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!(?=\[|$)|&(?=#?\w{1,31};)/gu, '\\$&')
    .replace(/^[#>+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

const escapePunctuation = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

const entity = (sign: string) => `&#${sign.codePointAt(0)};`

/** Also writes the first and the last character as entities, which emphasis can follow wherever it begins or ends. */
const escapeEdges = (text: string) => {
  const signs = Array.from(text)
  const [first, last] = [signs[0]!, signs.at(-1)!]
  return signs.length === 1
    ? entity(first)
    : entity(first) + escapePunctuation(signs.slice(1, -1).join('')) + entity(last)
}

/** From the most readable to the safest. */
export const STYLES: readonly Style[] = [
  { escape: plain, em: '*' },
  { escape: escapeSyntax, em: '*' },
  { escape: escapeSyntax, em: '_' },
  { escape: escapePunctuation, em: '*' },
  { escape: escapeEdges, em: '_' },
  { escape: escapeEdges, em: '*' },
]

interface Piece {
  node: Node
  /** The marks of the node that are not written yet. */
  marks: readonly Mark[]
}

/** Writes the content of a paragraph or heading as Markdown. */
export const writeInline = (content: readonly Node[], style: Style): string =>
  writePieces(
    content.map(node => ({ node, marks: node.marks.filter(({ type }) => type !== marks.code) })),
    style,
  )

const writePieces = (pieces: readonly Piece[], style: Style): string => {
  let text = ''
  for (let at = 0; at < pieces.length; ) {
    const { mark, length } = longestRun(pieces, at)
    if (mark) {
      const inner = pieces
        .slice(at, at + length)
        .map(({ node, marks: set }) => ({ node, marks: set.filter(other => !other.eq(mark)) }))
      text += writeMarked(mark, inner, style)
    } else text += writeLeaf(pieces[at]!.node, style)
    at += length
  }
  return text
}

/** The mark at a place that covers the most of what follows, and how many pieces it covers. */
const longestRun = (pieces: readonly Piece[], at: number): { mark: Mark | null; length: number } => {
  let longest: { mark: Mark | null; length: number } = { mark: null, length: 1 }
  for (const mark of pieces[at]!.marks) {
    const end = pieces.findIndex((piece, i) => i > at && !mark.isInSet(piece.marks))
    const length = (end === -1 ? pieces.length : end) - at
    if (longest.mark === null || length > longest.length) longest = { mark, length }
  }
  return longest
}

const SIGNS: Readonly<Record<string, string>> = { strong: '**', strike: '~~' }

const writeMarked = (mark: Mark, inner: readonly Piece[], style: Style): string => {
  if (mark.type !== marks.link) {
    const sign = mark.type === marks.em ? style.em : SIGNS[mark.type.name]!
    return `${sign}${writePieces(inner, style)}${sign}`
  }
  const href = String(mark.attrs.href)
  const [only] = inner
  if (inner.length === 1 && only!.node.text === href && only!.node.marks.length === 1 && isAutolink(mark))
    return `<${href}>`
  return `[${writePieces(inner, style)}](${addressAndTitle(href, mark.attrs.title)})`
}

const isAutolink = ({ attrs: { href, title } }: Mark) =>
  title === null && /^[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i.test(href)

const addressAndTitle = (href: string, title: string | null): string => {
  const isSimple = /^[^\s<>()\\\p{Cc}]+$/u.test(href)
  const address = href.replace(/&(?=#?\w{1,31};)/g, '\\&')
  const written = isSimple ? address : `<${address.replace(/[<>\\]/g, '\\$&').replace(/[\r\n]/g, '')}>`
  return title === null
    ? written
    : `${written} "${title.replace(/[\r\n]+/g, ' ').replace(/["\\&]/g, '\\$&')}"`
}

const writeLeaf = (node: Node, style: Style): string => {
  if (node.type === nodes.hard_break) return '\\\n'
  if (node.type === nodes.image) {
    const { src, alt, title } = node.attrs
    const text = style.escape === plain ? alt : escapePunctuation(alt)
    return `![${text.replace(/[\r\n]+/g, ' ')}](${addressAndTitle(src, title)})`
  }
  const text = node.text ?? ''
  return marks.code.isInSet(node.marks) ? writeCode(text) : style.escape(text)
}

/** Puts code between more backticks than it contains next to each other. */
const writeCode = (code: string): string => {
  const fence = fenceFor(code, 1)
  const isPadded = /^`|`$/.test(code) || /^ .*[^ ].* $/.test(code)
  return isPadded ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`
}

/** Returns a sequence of a sign, of at least `min`, that the code does not contain. */
export const fenceFor = (code: string, min: number, sign: '`' | '~' = '`'): string => {
  const runs = code.matchAll(sign === '`' ? /`+/g : /~+/g)
  const longest = Math.max(0, ...Array.from(runs, ([run]) => run.length))
  return sign.repeat(Math.max(min, longest + 1))
}
