import type { Env, Token } from 'markdown-it'
import { Mark, type Node, type NodeType } from 'prosemirror-model'
import { newMarkdown } from '../../shared/post-markdown.ts'
import { marks, nodes, schema } from './schema.ts'

/** The definitions of addresses (`[label]: address`) of a text, by label. */
export type References = Readonly<NonNullable<Env['references']>>

/** The tokens of a top-level block, and its lines. */
export interface Block {
  tokens: Token[]
  from: number
  /** The line after the last one. */
  to: number
}

const markdown = newMarkdown()
// A bare address stays text: it becomes a link when readers see it, and not before.
markdown.disable('linkify')

/**
 * Splits Markdown into top-level blocks.
 *
 * @param known definitions that are elsewhere in the document
 * @returns the blocks, and the definitions of the text together with the known ones
 */
export const blocksOf = (
  text: string,
  known: References = {},
): { blocks: Block[]; references: References } => {
  const env = { references: { ...known } }
  const blocks: Block[] = []
  let tokens: Token[] = []
  for (const token of markdown.parse(text, env)) {
    tokens.push(token)
    if (token.level > 0 || token.nesting > 0) continue
    const [from, to] = tokens[0]!.map ?? [0, 0]
    blocks.push({ tokens, from, to })
    tokens = []
  }
  return { blocks, references: env.references }
}

interface OpenNode {
  type: NodeType
  attrs: Record<string, unknown>
  content: Node[]
}

/** Returns the type and attributes of the node that a token begins, or null if the editor has no such node. */
const begun = (token: Token): OpenNode | null => {
  const open = (type: NodeType | undefined, attrs = {}) => (type ? { type, attrs, content: [] } : null)
  switch (token.type) {
    case 'paragraph_open':
      return open(nodes.paragraph)
    case 'heading_open':
      return open(nodes.heading, { level: Number(token.tag.slice(1)) })
    case 'blockquote_open':
      return open(nodes.blockquote)
    case 'bullet_list_open':
      return open(nodes.bullet_list, { tight: false, marker: token.markup })
    case 'ordered_list_open': {
      const order = Number(token.attrGet('start') ?? 1)
      return open(nodes.ordered_list, { order, tight: false, marker: token.markup })
    }
    case 'list_item_open':
      return open(nodes.list_item)
    default:
      return null
  }
}

/**
 * Converts the tokens of a top-level block to a node of the editor.
 *
 * @returns null if the block contains something that the editor cannot show
 */
export const nodeOf = (tokens: readonly Token[]): Node | null => {
  const open: OpenNode[] = []
  let done: Node | null = null
  const add = (node: Node) => {
    const parent = open.at(-1)
    if (parent) parent.content.push(node)
    else done = node
  }
  for (const token of tokens) {
    if (token.nesting > 0) {
      const node = begun(token)
      if (!node) return null
      // markdown-it hides the paragraphs of lists without blank lines.
      if (token.hidden) {
        const list = open.at(-2)
        if (list) list.attrs.tight = true
      }
      open.push(node)
    } else if (token.nesting < 0) {
      const { type, attrs, content } = open.pop()!
      const isEmpty = content.length === 0 && !type.isTextblock
      add(type.create(attrs, isEmpty ? [nodes.paragraph.create()] : content))
    } else if (token.type === 'inline') {
      const content = inlineNodes(token.children ?? [])
      if (!content) return null
      open.at(-1)?.content.push(...content)
    } else {
      const leaf = leafOf(token)
      if (!leaf) return null
      add(leaf)
    }
  }
  return done && isValid(done) ? done : null
}

const isValid = (node: Node): boolean => {
  try {
    node.check()
    return true
  } catch {
    return false
  }
}

const leafOf = ({ type, info, content }: Token): Node | null => {
  if (type === 'hr') return nodes.horizontal_rule.create()
  if (type !== 'fence' && type !== 'code_block') return null
  const code = content.replace(/\n$/, '')
  return nodes.code_block.create({ params: info }, code === '' ? null : schema.text(code))
}

const MARKS: Readonly<Record<string, 'em' | 'strong' | 'strike' | 'link'>> = {
  em: 'em',
  strong: 'strong',
  s: 'strike',
  link: 'link',
}

/** Converts the tokens inside a paragraph or heading; null if the editor cannot show one of them. */
const inlineNodes = (tokens: readonly Token[]): Node[] | null => {
  const content: Node[] = []
  const active: Mark[] = []
  const set = () => active.reduce<readonly Mark[]>((all, mark) => mark.addToSet(all), Mark.none)
  for (const [index, token] of tokens.entries()) {
    const name = MARKS[token.type.replace(/_(?:open|close)$/, '')]
    if (name && token.nesting > 0) {
      // A link without text would disappear.
      if (name === 'link' && tokens[index + 1]?.type === 'link_close') return null
      const attrs = name === 'link' ? { href: token.attrGet('href'), title: token.attrGet('title') } : null
      active.push(marks[name].create(attrs))
    } else if (name)
      active.splice(
        active.findLastIndex(({ type }) => type === marks[name]),
        1,
      )
    else if (token.type !== 'text' || token.content !== '') {
      const node = inlineNode(token, set())
      if (!node) return null
      content.push(node)
    }
  }
  return content
}

const inlineNode = (token: Token, set: readonly Mark[]): Node | null => {
  switch (token.type) {
    case 'text':
      return schema.text(token.content, set)
    case 'softbreak':
      return schema.text(' ', set)
    case 'code_inline':
      return schema.text(token.content, marks.code.create().addToSet(set))
    case 'hardbreak':
      return nodes.hard_break.create()
    case 'image': {
      const alt = markdown.renderer.renderInlineAsText(token.children ?? [], markdown.options, {})
      return nodes.image.create({ src: token.attrGet('src'), alt, title: token.attrGet('title') }, null, set)
    }
    default:
      return null
  }
}
