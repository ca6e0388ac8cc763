import type { EditorState } from 'prosemirror-state'

/** A slash at the beginning of a block or word, and what was typed after it. */
export interface TypedAfterSlash {
  from: number
  to: number
  typed: string
}

/** What the menu does with a key; returns whether it handled the key. */
export interface SlashMenuHandle {
  onKeyDown: (event: KeyboardEvent) => boolean
}

/** Returns the slash before the cursor that opens the menu; null if there is none. */
export const typedAfterSlash = ({ selection }: EditorState): TypedAfterSlash | null => {
  const { $from, empty, from } = selection
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC')
  const [, typed] = /(?:^|\s)\/(\p{L}[\p{L}\d ]{0,20}|)$/u.exec(before) ?? []
  return typed === undefined ? null : { from: from - typed.length - 1, to: from, typed }
}
