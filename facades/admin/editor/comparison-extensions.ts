import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { CodeLanguage } from './code-editor-props.ts'
import { languageOf } from './languages.ts'

/** How CodeMirror compares two texts. After the timeout in ms, it falls back to a coarser comparison. */
export const DIFF_CONFIG = { scanLimit: 2000, timeout: 500 }

export const languageExtension = ({ language }: Side): Extension =>
  language ? languageOf(language, () => undefined) : []

export const readOnly: Extension = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
]

/** The text of one version. */
export interface Side {
  /** The version's name: "Their version", "Your version". */
  name: string
  text: string
  /** Undefined for plain text. */
  language: CodeLanguage | undefined
  /** The format's name, set if the two versions have different formats. */
  format?: string
}

/** Marks the differences between two texts by color, underlining and strike-through. */
export const mergeTheme = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'rgb(63 159 105 / 8%)' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': {
    background: 'rgb(63 159 105 / 16%)',
    textDecoration: 'underline',
  },
  '.cm-deletedChunk': { backgroundColor: 'rgb(201 42 42 / 6%)', paddingLeft: '6px' },
  '.cm-deletedChunk .cm-deletedText': {
    background: 'rgb(201 42 42 / 10%)',
    textDecoration: 'line-through',
  },
  // Buttons go above the lines, where they cover no text.
  '.cm-deletedChunk .cm-chunkButtons': {
    position: 'static',
    justifyContent: 'flex-end',
    paddingInlineEnd: '6px',
    display: 'flex',
    gap: '6px',
    padding: '3px 0',
  },
  '.cm-deletedChunk .cm-chunkButtons .cm-merge-choice': {
    minHeight: '24px',
    padding: '0 0.5rem',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '0.8125rem',
    color: 'var(--mantine-color-text)',
    background: 'var(--mantine-color-default)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '0.25rem',
    cursor: 'pointer',
  },
  '.cm-collapsedLines': {
    padding: '0.25rem 0.5rem',
    color: 'var(--code-faint)',
    background: 'var(--code-gutter)',
  },
})
