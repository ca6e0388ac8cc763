import type { Node } from 'prosemirror-model'
import { type Block, blocksOf, nodeOf, type References } from './read-markdown.ts'
import { nodes, schema } from './schema.ts'
import { contentOf, isEmptyParagraph, tidy } from './tidy.ts'
import { isReadAs, markerOf, writeBlock } from './write-block.ts'

/** A document that was read from Markdown. */
export interface OpenedMarkdown {
  doc: Node
  /** Writes a later state of the document. Blocks that were not changed keep their Markdown, byte for byte. */
  write: (doc: Node) => string
  /** The blocks by their Markdown, without those that can depend on others. */
  blocks: ReadonlyMap<string, Node>
}

/** A block as it was written in the text. */
interface Origin {
  node: Node
  source: string
  /** Position among the blocks. */
  index: number
  /** Whether the block would take in what follows, such as code without an end. */
  isOpen: boolean
}

/** A block of a text, or Markdown between blocks, such as the definition of an address. */
interface Part {
  node: Node
  from: number
  to: number
}

const sourceNode = (text: string) => nodes.source.create(null, schema.text(text))

const isBlank = (line: string | undefined) => line !== undefined && /^[ \t\r\n]*$/.test(line)

/** Splits a text after each line break. Joined, the lines are the text. */
const linesOf = (text: string): string[] => text.split(/(?<=\n|\r(?!\n))/)

const withoutBreak = (text: string) => text.replace(/(?:\r\n?|\n)$/, '')

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

/** Returns the part of a text that begins and ends with lines that are not blank; null if all lines are blank. */
const filledLines = (lines: readonly string[], from: number, to: number) => {
  let [first, end] = [from, to]
  while (first < end && isBlank(lines[first])) first += 1
  while (end > first && isBlank(lines[end - 1])) end -= 1
  return first < end ? { from: first, to: end } : null
}

/** Whether a block of Markdown would take in a paragraph after it. */
const takesInNext = (source: string) => blocksOf(`${source}\n\nx`).blocks.length === 1

/** Whether Markdown defines addresses, which the editor shows only as Markdown. */
const defines = (text: string) => text.includes(']:') && Object.keys(blocksOf(text).references).length > 0

/**
 * Reads the blocks of a text. What the editor cannot show, or could not write again, becomes a `source` block.
 *
 * @param known blocks that were read before
 */
const partsOf = (
  lines: readonly string[],
  known: ReadonlyMap<string, Node>,
): { parts: Part[]; references: References } => {
  const { blocks, references } = blocksOf(lines.join(''))
  const parts: Part[] = []
  const textOf = (from: number, to: number) => withLineFeeds(withoutBreak(lines.slice(from, to).join('')))
  const add = (from: number, to: number, node: Node | null) => {
    const filled = filledLines(lines, from, to)
    if (filled) parts.push({ node: node ?? sourceNode(textOf(filled.from, filled.to)), ...filled })
  }
  let end = 0
  for (const { tokens, from, to } of blocks) {
    add(end, from, null)
    end = to
    add(from, to, known.get(textOf(from, to)) ?? nodeFor(tokens, textOf(from, to), references))
  }
  add(end, lines.length, null)
  return { parts, references }
}

/** Returns the node of a block; null if the editor cannot show the block or could not write it again. */
const nodeFor = (tokens: Block['tokens'], text: string, references: References): Node | null => {
  const node = defines(text) ? null : nodeOf(tokens)
  return node && isReadAs(writeBlock(tidy(node), references, null), node, references) ? node : null
}

/** A block as it is written. */
interface Written {
  node: Node
  text: string
  /** Undefined if the block was changed. */
  origin: Origin | undefined
}

/** The marker of a list after which the text of a block would belong to the same list; null if there is none. */
const sharedMarker = (before: Written | undefined, node: Node): string | null =>
  before?.node.type === node.type ? markerOf(before.node, before.text) : null

/**
 * Opens Markdown in the visual editor.
 *
 * @param known blocks that were read before, of which the result is made where the Markdown is the same
 */
export const openMarkdown = (text: string, known: ReadonlyMap<string, Node> = new Map()): OpenedMarkdown => {
  const lines = linesOf(text)
  const { parts, references } = partsOf(lines, known)
  const lineBreak = /\r\n?|\n/.exec(text)?.[0] ?? '\n'
  const sourceOf = ({ from, to }: Part) => withoutBreak(lines.slice(from, to).join(''))
  const origins = parts.map((part, index): Origin => {
    const source = sourceOf(part)
    const isLast = index === parts.length - 1
    return {
      node: part.node,
      source,
      index,
      isOpen: isLast && part.node.type !== nodes.source && takesInNext(source),
    }
  })
  const gaps = gapsBetween(lines, parts)
  const byNode = Map.groupBy(origins, ({ node }) => node)
  const byText = Map.groupBy(origins, ({ node }) => node.textContent)
  const rewritten = new WeakMap<Node, string>()

  /**
   * Finds how a block was written; also if it was changed and changed back.
   *
   * @param next index of the block that followed the last one that was found
   */
  const originOf = (node: Node, next: number): Origin | undefined => {
    const found =
      byNode.get(node) ?? byText.get(node.textContent)?.filter(origin => origin.node.eq(node)) ?? []
    return found.find(({ index }) => index >= next) ?? found[0]
  }

  /** Whether a block can keep its Markdown after what is before it. */
  const fitsAfter = (before: Written | undefined, { node, source, index }: Origin) => {
    if (!before || before.origin?.index === index - 1) return true
    const marker = sharedMarker(before, node)
    if (marker !== null && marker === markerOf(node, source)) return false
    // After a list, indented text would belong to it.
    return node.type === nodes.source || !/^[ \t]/.test(source)
  }

  /** Whether the links of a block still lead to the same addresses. */
  const keepsLinks = ({ node, source }: Origin, known: References) =>
    known === references ||
    node.type === nodes.source ||
    !source.includes(']') ||
    isReadAs(source, node, known)

  const rewrite = (node: Node, avoid: string | null, known: References): string => {
    const isUsual = avoid === null && known === references
    const done = isUsual ? rewritten.get(node) : undefined
    if (done !== undefined) return done
    const result = writeBlock(tidy(node), known, avoid).replaceAll('\n', lineBreak)
    if (isUsual) rewritten.set(node, result)
    return result
  }

  const write = (doc: Node): string => {
    const blocks = contentOf(doc).filter(node => !isEmptyParagraph(node))
    const sources = blocks.filter(({ type }) => type === nodes.source)
    const isAsRead =
      sources.every(node => byNode.has(node)) &&
      sources.length === parts.filter(({ node }) => node.type === nodes.source).length
    const known = isAsRead ? references : referencesIn(sources)
    const written: Written[] = []
    let next = 0
    for (const [i, node] of blocks.entries()) {
      const before = written.at(-1)
      const origin = originOf(node, next)
      const isKept =
        origin &&
        (!origin.isOpen || i === blocks.length - 1) &&
        fitsAfter(before, origin) &&
        keepsLinks(origin, known)
      const block = isKept
        ? { node, text: origin.source, origin }
        : { node, text: rewrite(node, sharedMarker(before, node), known), origin: undefined }
      if (origin) next = origin.index + 1
      if (!isBlank(block.text)) written.push(block)
    }
    if (written.length === 0) return parts.length === 0 ? text : ''
    return (
      written.reduce((all, block, i) => {
        const before = written[i - 1]
        return all + (before ? gapBetween(before.origin, block.origin) : '') + block.text
      }, gaps[0]!) + gaps.at(-1)!
    )
  }

  const gapBetween = (before: Origin | undefined, after: Origin | undefined) =>
    before && after && before.index === after.index - 1 ? gaps[after.index]! : lineBreak + lineBreak

  const content = parts.length > 0 ? parts.map(({ node }) => node) : [nodes.paragraph.create()]
  const independent = origins.filter(
    ({ node, source }) => node.type !== nodes.source && !source.includes(']'),
  )
  const blocks = new Map(independent.map(({ node, source }) => [withLineFeeds(source), node]))
  return { doc: nodes.doc.create(null, content), write, blocks }
}

/** Returns the text before the first block, before each further one, and after the last one. */
const gapsBetween = (lines: readonly string[], parts: readonly Part[]): string[] => {
  if (parts.length === 0) return ['', '']
  const before = lines.slice(0, parts[0]!.from).join('')
  const after = parts.map(({ from, to }, i) => {
    const source = lines.slice(from, to).join('')
    return (
      source.slice(withoutBreak(source).length) + lines.slice(to, parts[i + 1]?.from ?? lines.length).join('')
    )
  })
  return [before, ...after]
}

const referencesIn = (sources: readonly Node[]): References =>
  blocksOf(sources.map(({ textContent }) => textContent).join('\n\n')).references
