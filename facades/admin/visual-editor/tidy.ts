import { Fragment, type MarkType, type Node } from 'prosemirror-model'
import { marks, nodes, schema } from './schema.ts'

/** White space that markdown-it removes at the edges of a paragraph. */
const START = /^[ \t\r\n]+/
const END = /[ \t\r\n]+$/

/**
 * Returns what Markdown can express of a node: without empty paragraphs beside others, without white space at the edges
 * of lines and of emphasized text, and without line breaks at the end of a paragraph. Readers see no difference.
 */
export const tidy = (node: Node): Node => {
  if (node.type.spec.code) return node
  if (node.isTextblock) return node.copy(Fragment.from(tidyInline(contentOf(node))))
  if (node.isLeaf) return node
  const children = contentOf(node).map(tidy)
  const filled = children.filter(child => !isEmptyParagraph(child))
  return node.copy(Fragment.from(filled.length > 0 ? filled : children.slice(0, 1)))
}

export const contentOf = (node: Node): Node[] =>
  Array.from({ length: node.childCount }, (_, i) => node.child(i))

export const isEmptyParagraph = (node: Node): boolean =>
  node.type === nodes.paragraph && node.content.size === 0

const isBreak = (node: Node | undefined) => node?.type === nodes.hard_break

/** Whether a node is text outside code, whose white space at the edges can be removed. */
const isProse = (node: Node) => node.isText && !marks.code.isInSet(node.marks)

const tidyInline = (content: Node[]): Node[] => {
  const flat = content.map(node => {
    if (isBreak(node)) return nodes.hard_break.create()
    const text = node.isText ? node.text!.replace(/[\r\n]+/g, ' ').replaceAll('\0', '\uFFFD') : ''
    return node.isText && text !== node.text ? schema.text(text, node.marks) : node
  })
  const lines = trimLines(joined(flat))
  return joined([marks.strong, marks.em, marks.strike].reduce(trimMarked, lines))
}

/** Joins neighboring texts that have the same marks. */
const joined = (content: Node[]): Node[] => contentOf(nodes.paragraph.create(null, content))

/** Removes white space at the edges of lines, and line breaks at the end. */
const trimLines = (content: Node[]): Node[] => {
  const trimmed = content.flatMap((node, i) => {
    if (!isProse(node)) return [node]
    const isFirst = i === 0 || isBreak(content[i - 1])
    const isLast = i === content.length - 1 || isBreak(content[i + 1])
    const text = node.text!.replace(isFirst ? START : /^(?!)/, '').replace(isLast ? END : /(?!)$/, '')
    return text === '' ? [] : [schema.text(text, node.marks)]
  })
  const end = trimmed.findLastIndex(node => !isBreak(node)) + 1
  const rest = trimmed.slice(0, end)
  // Removing a text can move another one to the edge of a line.
  return rest.length === content.length ? rest : trimLines(rest)
}

/** Takes a mark off the white space at the edges of each marked run, where Markdown cannot have it. */
const trimMarked = (content: Node[], type: MarkType): Node[] => {
  const trimmed = content.flatMap((node, i) => {
    if (!isProse(node) || !type.isInSet(node.marks)) return [node]
    const continues = (other: Node | undefined) =>
      other !== undefined && type.isInSet(other.marks) !== undefined
    const text = node.text!
    const without = (part: string) => (part === '' ? [] : [schema.text(part, type.removeFromSet(node.marks))])
    const rest = text.trim()
    if (rest === '') return continues(content[i - 1]) && continues(content[i + 1]) ? [node] : without(text)
    const before = continues(content[i - 1]) ? '' : text.slice(0, text.indexOf(rest))
    const after = continues(content[i + 1]) ? '' : text.slice(text.indexOf(rest) + rest.length)
    const inner = text.slice(before.length, text.length - after.length)
    return [...without(before), schema.text(inner, node.marks), ...without(after)]
  })
  // What was trimmed can leave other white space at an edge.
  return trimmed.length === content.length && trimmed.every((node, i) => node.eq(content[i]!))
    ? trimmed
    : trimMarked(trimmed, type)
}
