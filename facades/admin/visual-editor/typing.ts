import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history, redo, undo } from 'prosemirror-history'
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, Plugin, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { toggle } from './commands.ts'
import { marks, nodes } from './schema.ts'

/** Turns `**text**` and the like into marked text when the last sign is typed. */
const markRule = (pattern: RegExp, type: MarkType | undefined) =>
  new InputRule(pattern, (state, match, start, end) => {
    const [whole, before = '', text = ''] = match
    const { tr } = state
    const from = start + before.length
    if (state.doc.rangeHasMark(from, end, marks.code)) return null
    // The last sign is not in the document yet.
    const opening = (whole.length - before.length - text.length) / 2
    tr.delete(from + opening + text.length, end).delete(from, from + opening)
    return tr.addMark(from, from + text.length, type!.create()).removeStoredMark(type!)
  })

const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, match => ({ level: match[1]!.length })),
    textblockTypeInputRule(/^```$/, nodes.code_block),
    wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
    wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list, match => ({ marker: match[1] })),
    wrappingInputRule(
      /^(\d{1,9})([.)])\s$/,
      nodes.ordered_list,
      match => ({ order: Number(match[1]), marker: match[2] }),
      (match, node) =>
        node.childCount + node.attrs.order === Number(match[1]) && node.attrs.marker === match[2],
    ),
    new InputRule(/^(?:---|\*\*\*|___)$/, ({ selection: { $from }, tr }, [signs]) => {
      if ($from.parent.type !== nodes.paragraph || $from.parent.content.size !== signs.length - 1) return null
      const at = $from.before()
      tr.replaceWith(at, $from.after(), [nodes.horizontal_rule.create(), nodes.paragraph.create()])
      return tr.setSelection(TextSelection.create(tr.doc, at + 2))
    }),
    markRule(/(^|[^*\\])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.strong),
    markRule(/(^|[^*\\])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.em),
    markRule(/(^|[\s(])_([^\s_](?:[^_]*[^\s_])?)_$/, marks.em),
    markRule(/(^|[^~\\])~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike),
    markRule(/(^|[^`\\])`([^`]+)`$/, marks.code),
  ],
})

const hardBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  const { $from } = state.selection
  if (!$from.parent.type.contentMatch.matchType(nodes.hard_break)) return false
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
})

/** Shows a text in an empty document. */
const placeholder = (text: string) =>
  new Plugin({
    props: {
      decorations: ({ doc }) => {
        const only = doc.firstChild
        if (doc.childCount > 1 || only?.type !== nodes.paragraph || only.content.size > 0) return null
        return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, { 'data-placeholder': text })])
      },
    },
  })

/** What typing and keys do: the plugins of the editor. */
export const typing = (): Plugin[] => [
  rules,
  keymap({
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    'Mod-b': toggle(marks.strong),
    'Mod-i': toggle(marks.em),
    'Mod-e': toggle(marks.code),
    'Mod-Shift-x': toggle(marks.strike),
    Backspace: undoInputRule,
    Enter: splitListItem(nodes.list_item),
    Tab: sinkListItem(nodes.list_item),
    'Shift-Tab': liftListItem(nodes.list_item),
    'Shift-Enter': hardBreak,
    'Mod-Enter': exitCode,
  }),
  keymap(baseKeymap),
  dropCursor({ class: 'drop-cursor', color: false }),
  gapCursor(),
  history(),
  placeholder('Write here. Type / for headings, lists and pictures.'),
]
