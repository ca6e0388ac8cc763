import {
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** A closing tag that the editor inserted when its opening tag was typed. */
interface InsertedTag {
  from: number
  text: string
}

interface Typing {
  tags: readonly InsertedTag[]
  /** Where the person is typing over an inserted tag, and where this tag ends; null otherwise. */
  over: { at: number; end: number } | null
}

/** How many inserted tags are remembered. */
const REMEMBERED = 100

const CLOSING_TAG = /^<\/[^<>\s]+>$/

const typeOver = StateEffect.define<Typing['over']>()

const insertedBy = (transaction: Transaction): InsertedTag[] => {
  const tags: InsertedTag[] = []
  if (transaction.isUserEvent('input.complete'))
    transaction.changes.iterChanges((_from, _to, from, _end, inserted) => {
      const text = inserted.toString()
      if (CLOSING_TAG.test(text)) tags.push({ from, text })
    })
  return tags
}

const isAt = (state: EditorState, { from, text }: InsertedTag) =>
  state.sliceDoc(from, from + text.length) === text

const typing = StateField.define<Typing>({
  create: () => ({ tags: [], over: null }),
  update: ({ tags, over }, transaction) => {
    const { docChanged, changes, selection, state, effects } = transaction
    const kept = docChanged
      ? tags
          .map(({ from, text }) => ({ from: changes.mapPos(from, 1), text }))
          .filter(tag => isAt(state, tag))
      : tags
    const effect = effects.find(one => one.is(typeOver))
    return {
      tags: [...kept, ...insertedBy(transaction)].slice(-REMEMBERED),
      over: effect ? effect.value : docChanged || selection ? null : over,
    }
  },
})

/** The inserted tag that follows a position, if there is nothing but white space before it. */
const tagAfter = (state: EditorState, at: number) =>
  state
    .field(typing)
    .tags.filter(({ from }) => from >= at && state.sliceDoc(at, from).trim() === '')
    .toSorted((one, other) => one.from - other.from)[0]

/** Typing `</` before a closing tag that the editor inserted goes on in that tag. */
const enterTag = (view: EditorView, at: number): boolean => {
  const { state } = view
  const { doc } = state
  const tag = tagAfter(state, at)
  if (!tag || state.sliceDoc(at - 1, at) !== '<') return false
  // Remove the `<`, and with it its line if nothing else is there.
  const line = doc.lineAt(at)
  const isAlone = doc.lineAt(tag.from).from > line.to && line.text.trim() === '<'
  const removed = isAlone ? { from: line.from, to: line.to + 1 } : { from: at - 1, to: at }
  const inTag = tag.from - (removed.to - removed.from) + 2
  view.dispatch({
    changes: removed,
    selection: { anchor: inTag },
    effects: typeOver.of({ at: inTag, end: inTag + tag.text.length - 2 }),
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

const onInput = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view
  if (from !== to || view.composing || state.readOnly || state.selection.ranges.length > 1) return false
  const { over } = state.field(typing)
  if (over?.at === from && state.sliceDoc(from, from + 1) === text) {
    const at = from + 1
    view.dispatch({
      selection: { anchor: at },
      effects: typeOver.of(at < over.end ? { ...over, at } : null),
      userEvent: 'input.type',
    })
    return true
  }
  return text === '/' && enterTag(view, from)
})

/** When a closing tag is typed where the editor has inserted it, types over that tag instead of adding another one. */
export const typeOverTags: Extension = [typing, Prec.high(onInput)]
