import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { languageOf } from './languages.ts'
import type { Side } from './side.ts'

/** How CodeMirror compares two texts. After the timeout in ms, it falls back to a coarser comparison. */
export const DIFF_CONFIG = { scanLimit: 2000, timeout: 500 }

export const languageExtension = ({ language }: Side): Extension =>
  language ? languageOf(language, () => undefined) : []

export const readOnly: Extension = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
]
