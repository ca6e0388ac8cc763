import { Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { EditorProps } from 'prosemirror-view'
import { newMarkdown } from '../../shared/post-markdown.ts'
import { setLink } from './commands.ts'
import { openMarkdown } from './open-markdown.ts'
import { nodes } from './schema.ts'

const markdown = newMarkdown()

/** An address as a person may type it; undefined if posts cannot link to it. */
export const addressFrom = (typed: string): string | undefined => {
  const address = typed.trim()
  if (address === '' || /\s/.test(address)) return undefined
  if (/^[^\s/:@]+\.[a-z]{2,}(?:[/?#]|$)/i.test(address)) return `https://${address}`
  if (/^[^\s/:@]+@[^\s/:@]+\.[a-z]{2,}$/i.test(address)) return `mailto:${address}`
  return URL.canParse(address) && markdown.validateLink(address) ? address : undefined
}

/** Renames the attribute `style` in tags, because the security policy forbids it. The schema reads the other name. */
const withoutStyles = (html: string) =>
  html.replace(/<[a-z][^>]*>/gi, tag => tag.replace(/\sstyle\s*=/gi, ' data-style='))

/** How pasted text becomes part of the document: HTML keeps its formatting, plain text is read as Markdown. */
export const pasting: EditorProps = {
  transformPastedHTML: withoutStyles,
  clipboardTextParser: (text, context, isPlain) => {
    if (isPlain || context.parent.type.spec.code) return null as unknown as Slice
    return Slice.maxOpen(openMarkdown(text).doc.content)
  },
  handlePaste: (view, event) => {
    const text = event.clipboardData?.getData('text/plain').trim() ?? ''
    const address = /^https?:\/\/\S+$/.test(text) ? addressFrom(text) : undefined
    if (!address || view.state.selection.empty || view.state.selection.$from.parent.type.spec.code)
      return false
    return setLink(address, '')(view.state, view.dispatch)
  },
}

/** Inserts Markdown at a position: within the text there, or as blocks of its own where no text is. */
export const insertMarkdown = ({ doc, tr }: EditorState, at: number, text: string): Transaction => {
  const { content } = openMarkdown(text).doc
  const $at = doc.resolve(Math.min(at, doc.content.size))
  const only = content.childCount === 1 ? content.firstChild : null
  const { parent } = $at
  if (only?.type === nodes.paragraph && parent.inlineContent && !parent.type.spec.code)
    return tr.insert($at.pos, only.content)
  return tr.insert(parent.type.spec.code ? $at.after() : $at.pos, content)
}
