import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import type { Attrs, MarkType, Node, NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { marks, nodes, schema } from './schema.ts'

/** Whether the selection, or what would be typed at the cursor, has a mark. */
export const hasMark = ({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean => {
  const { empty, $from, from, to } = selection
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type)
}

/** The innermost node of a type around the selection, and its position; null if there is none. */
export const around = (
  { selection: { $from } }: EditorState,
  ...types: readonly (NodeType | undefined)[]
): { node: Node; at: number } | null => {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth)
    if (types.includes(node.type)) return { node, at: $from.before(depth) }
  }
  return null
}

const isLink = marks.link

/** The link at the cursor or in the selection: its mark and its range. Null if there is none. */
export const linkAt = ({ selection: { $from, from, to, empty }, doc }: EditorState) => {
  if (!empty) {
    let found: { href: string; from: number; to: number } | null = null
    doc.nodesBetween(from, to, node => {
      const mark = isLink.isInSet(node.marks)
      if (mark) found ??= { href: mark.attrs.href, from, to }
    })
    return found as { href: string; from: number; to: number } | null
  }
  const { parent } = $from
  const mark = [$from.nodeBefore, $from.nodeAfter].flatMap(
    node => (node && isLink.isInSet(node.marks)) || [],
  )[0]
  if (!mark) return null
  let [first, last] = [$from.index(), $from.index()]
  const has = (i: number) => i >= 0 && i < parent.childCount && mark.isInSet(parent.child(i).marks)
  if (!has(first)) first = last -= 1
  while (has(first - 1)) first -= 1
  while (has(last + 1)) last += 1
  const offsetOf = (index: number) => {
    let offset = 0
    for (let i = 0; i < index; i++) offset += parent.child(i).nodeSize
    return $from.start() + offset
  }
  return { href: String(mark.attrs.href), from: offsetOf(first), to: offsetOf(last + 1) }
}

/**
 * Links the selection or the link at the cursor to an address; without either, inserts a linked text.
 *
 * @param href null to remove the link
 */
export const setLink =
  (href: string | null, text: string): Command =>
  (state, dispatch) => {
    const at = linkAt(state)
    const { from, to, empty } = at ? { ...at, empty: false } : state.selection
    const { tr } = state
    if (href === null) dispatch?.(tr.removeMark(from, to, isLink))
    else if (empty)
      dispatch?.(tr.replaceSelectionWith(schema.text(text || href, [isLink.create({ href })]), false))
    else dispatch?.(tr.removeMark(from, to, isLink).addMark(from, to, isLink.create({ href })))
    return true
  }

/** Makes the selected blocks a list of a type; a list of the other type changes its type, and one of this type ends. */
export const toggleList =
  (type: NodeType, attrs?: Attrs): Command =>
  (state, dispatch) => {
    const list = around(state, nodes.bullet_list, nodes.ordered_list)
    if (list?.node.type === type) return liftListItem(nodes.list_item)(state, dispatch)
    if (!list) return wrapInList(type, attrs ?? null)(state, dispatch)
    dispatch?.(state.tr.setNodeMarkup(list.at, type, { tight: list.node.attrs.tight, ...attrs }))
    return true
  }

export const toggleQuote: Command = (state, dispatch) =>
  around(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch)

export const setBlock = (type: NodeType | undefined, attrs: Attrs | null = null): Command =>
  setBlockType(type!, attrs)

/** Inserts blocks after the one at the cursor, or in its place if it is empty, and moves the cursor into the last. */
const insertBlocks =
  (...blocks: readonly Node[]): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    // Source blocks are only possible at the top level.
    const depth = blocks.some(({ type }) => type === nodes.source) ? 1 : $from.depth
    if (depth === 0) return false
    const isEmpty = $from.depth === depth && $from.parent.content.size === 0
    const [from, to] = isEmpty
      ? [$from.before(depth), $from.after(depth)]
      : [$from.after(depth), $from.after(depth)]
    const { tr } = state
    tr.replaceWith(from, to, blocks)
    const end = from + blocks.reduce((size, { nodeSize }) => size + nodeSize, 0)
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(end - 1), -1)).scrollIntoView())
    return true
  }

export const insertRule: Command = (state, dispatch) =>
  insertBlocks(nodes.horizontal_rule.create(), nodes.paragraph.create())(state, dispatch)

const TABLE = '| Name | Value |\n| --- | --- |\n| One | 1 |'

export const insertTable: Command = (state, dispatch) =>
  insertBlocks(nodes.source.create(null, schema.text(TABLE)))(state, dispatch)

export const toggle = (type: MarkType | undefined): Command => toggleMark(type!)

/** The selected picture; null if the selection is something else. */
export const selectedPicture = ({ selection }: EditorState): Node | null =>
  selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : null

/** Changes the description of the selected picture. */
export const describePicture =
  (alt: string): Command =>
  (state, dispatch) => {
    const picture = selectedPicture(state)
    if (!picture) return false
    const { from } = state.selection
    const { tr } = state
    tr.setNodeMarkup(from, null, { ...picture.attrs, alt })
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)))
    return true
  }
