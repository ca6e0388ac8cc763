import type { Node } from 'prosemirror-model'
import { blocksOf, nodeOf, type References } from './read-markdown.ts'
import { nodes } from './schema.ts'
import { contentOf, isEmptyParagraph } from './tidy.ts'
import { fenceFor, STYLES, writeInline } from './write-inline.ts'

/** How blocks are written. */
interface Writing {
  references: References
  /** Whether list items are separated by blank lines even in lists that need none. */
  isLoose: boolean
}

/**
 * Writes a block as Markdown.
 *
 * @param node without what Markdown cannot express (`tidy`)
 * @param avoid marker of the list before it, which would continue in a list with the same marker
 */
export const writeBlock = (node: Node, references: References, avoid: string | null): string => {
  const write = (isLoose: boolean) => writeNode(node, { references, isLoose }, avoid, false)
  const text = write(false)
  return node.isTextblock || isReadAs(text, node, references) ? text : write(true)
}

/** Whether Markdown is read as one block that shows the same as a node. */
export const isReadAs = (text: string, node: Node, references: References): boolean => {
  const { blocks } = blocksOf(text, references)
  const read = blocks.length === 1 ? nodeOf(blocks[0]!.tokens) : null
  return read !== null && isSame(read, node)
}

/** Attributes that concern how a list is written. */
const NOT_SHOWN = new Set(['tight', 'marker'])

const isSame = (one: Node, other: Node): boolean => {
  if (one.isText || one.isTextblock || one.isLeaf) return one.eq(other)
  return (
    one.type === other.type &&
    one.childCount === other.childCount &&
    Object.entries(one.attrs).every(([name, value]) => NOT_SHOWN.has(name) || other.attrs[name] === value) &&
    contentOf(one).every((child, i) => isSame(child, other.child(i)))
  )
}

const writeNode = (node: Node, writing: Writing, avoid: string | null, isInner: boolean): string => {
  switch (node.type) {
    case nodes.heading:
      return writeText(node, writing.references, '#'.repeat(node.attrs.level))
    case nodes.code_block:
      return writeCodeBlock(node)
    case nodes.horizontal_rule:
      // Within a list, hyphens could be read as a heading, and hyphens and asterisks as a part of the marker.
      return isInner ? '___' : '---'
    case nodes.blockquote:
      return indented(writeChildren(contentOf(node), writing, '\n\n'), '> ', '> ')
    case nodes.bullet_list:
    case nodes.ordered_list:
      return writeList(node, writing, avoid)
    case nodes.source:
      return node.textContent
    default:
      return writeText(node, writing.references, '')
  }
}

/** Writes a paragraph or heading in the first style in which it is read as the same text. */
const writeText = (node: Node, references: References, sign: string): string => {
  if (node.content.size === 0) return sign
  const content = contentOf(node)
  const texts = STYLES.map(style => () => `${sign}${sign && ' '}${writeInline(content, style)}`)
  const found = texts.find(write => isReadAs(write(), node, references))
  // Nothing that a person can write should lead here. If it does, the text counts more than its formatting.
  return (found ?? texts[1]!)()
}

const writeCodeBlock = ({ textContent, attrs: { params } }: Node): string => {
  const fence = fenceFor(textContent, 3, params.includes('`') ? '~' : '`')
  return `${fence}${params}\n${textContent}${textContent === '' ? '' : '\n'}${fence}`
}

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, i) => {
      const start = i === 0 ? first : rest
      return line === '' ? start.trimEnd() : start + line
    })
    .join('\n')

const writeChildren = (children: readonly Node[], writing: Writing, separator: string): string => {
  const texts: string[] = []
  let avoid: string | null = null
  for (const child of children) {
    if (isEmptyParagraph(child)) continue
    const text = writeNode(child, writing, avoid, true)
    avoid = markerOf(child, text)
    texts.push(text)
  }
  return texts.join(separator)
}

/** Returns the marker of a list as it was written; null for other blocks. */
export const markerOf = (node: Node, text: string): string | null => {
  if (node.type === nodes.bullet_list) return text.trimStart().charAt(0)
  if (node.type === nodes.ordered_list) return /\d+([.)])/.exec(text)?.[1] ?? null
  return null
}

const MARKERS: Readonly<Record<string, readonly string[]>> = {
  bullet_list: ['-', '*', '+'],
  ordered_list: ['.', ')'],
}

/** The greatest number that an item can have. */
const MAX_NUMBER = 999_999_999

/** What would be read as a horizontal rule, such as three empty items within each other. */
const RULE = /^([-*])(?: *\1){2,}$/

const writeList = (node: Node, writing: Writing, avoid: string | null): string => {
  const { marker, order = 1, tight } = node.attrs
  const separator = tight && !writing.isLoose ? '\n' : '\n\n'
  const bodies = contentOf(node).map(item => writeChildren(contentOf(item), writing, separator))
  const isPossible = (sign: string) =>
    sign !== avoid && !bodies.some(body => RULE.test(`${sign} ${body.split('\n', 1)[0]}`))
  const sign = [marker, ...MARKERS[node.type.name]!].find(isPossible) ?? marker
  return bodies
    .map((body, i) => {
      const first = `${node.type === nodes.ordered_list ? Math.min(order + i, MAX_NUMBER) : ''}${sign} `
      return indented(body, first, ' '.repeat(first.length))
    })
    .join(separator)
}
