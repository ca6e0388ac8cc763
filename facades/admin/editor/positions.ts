import type { Diagnostic as LintMark } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Correction, Diagnostic } from './code-editor-props.ts'
import { correctionText } from './corrections.ts'

/** Converts a line and a column, counted in code points, to an offset within the text. */
export const offsetAt = (text: Text, line: number, column: number): number => {
  const { from, to, text: content } = text.line(Math.min(Math.max(1, line), text.lines))
  const before = Array.from(content.slice(0, 2 * column)).slice(0, column - 1)
  return Math.min(from + before.join('').length, to)
}

/** The text to underline: a whole tag or output, otherwise the rest of the line. */
const MARKED = /^\{%.*?%\}|^\{\{.*?\}\}|^.*/

/** The text to underline for a hint: a tag, an output, a name or a quoted string. */
const HINTED = /^\{%.*?%\}|^\{\{.*?\}\}|^[^\s"'|}<>]+|^(["']).*?\1/

/**
 * Converts diagnostics to the ranges that CodeMirror underlines.
 *
 * @param correct applies a correction to the text at an offset
 */
export const toLintMarks = (
  text: Text,
  diagnostics: readonly Diagnostic[],
  correct: (editor: EditorView, at: number, correction: Correction) => void,
): LintMark[] =>
  diagnostics.map(({ line, column, message, severity = 'error', correction }) => {
    const from = offsetAt(text, line, column)
    const rest = text.sliceString(from, Math.min(text.lineAt(from).to, from + 1000))
    const [marked = ''] = (severity === 'info' ? HINTED : MARKED).exec(rest) ?? []
    const actions = correction
      ? [
          {
            name: correctionText(correction),
            apply: (editor: EditorView, at: number) => correct(editor, at, correction),
          },
        ]
      : []
    return { from, to: from + marked.trimEnd().length, message, severity, actions }
  })
