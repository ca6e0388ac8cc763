import type { Diagnostic as Mark } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { Diagnostic } from './CodeEditor.tsx'

/** Where a line and a column (in code points) are; the nearest place where the text has become shorter. */
export const positionOf = (text: Text, line: number, column: number): number => {
  const { from, to, text: words } = text.line(Math.min(Math.max(1, line), text.lines))
  const before = Array.from(words.slice(0, 2 * column)).slice(0, column - 1)
  return Math.min(from + before.join('').length, to)
}

/** Tags and outputs are marked whole, within their line; anything else to the end of its line. */
const END = /^\{%.*?%\}|^\{\{.*?\}\}|^.*/

export const located = (text: Text, diagnostics: readonly Diagnostic[]): Mark[] =>
  diagnostics.map(({ line, column, message, severity = 'error' }) => {
    const from = positionOf(text, line, column)
    const rest = text.sliceString(from, Math.min(text.lineAt(from).to, from + 1000))
    const [marked = ''] = END.exec(rest) ?? []
    return { from, to: from + marked.trimEnd().length, message, severity }
  })
