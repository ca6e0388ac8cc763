import type { ReactNode, Ref } from 'react'
import type { Outputs } from '../api.ts'
import type { NamedThing } from './names-in-code.ts'
import type { TextRange } from './written-place.ts'

export type CodeLanguage = 'liquid' | 'html' | 'markdown' | 'json'

/** A message about one position in the text. */
export interface Diagnostic {
  /** Line number, from 1. */
  line: number
  /** Column in code points, from 1. */
  column: number
  message: string
  severity?: 'error' | 'warning' | 'info'
  correction?: Correction | undefined
}

/** A misspelled name at or after the position of a diagnostic, and the name that can replace it. */
export interface Correction {
  written: string
  nearest: string
}

/** What a parent component can do with an editor. */
export interface EditorHandle {
  focus: () => void
  /** Replaces the whole text; undo brings it back. */
  setText: (text: string) => void
  /** Undoes or redoes the last change, including one that came from the `value` prop. */
  undo: (isRedo: boolean) => void
  /** Moves the cursor to a position and scrolls it into view. */
  goTo: (line: number, column: number) => void
  /**
   * Selects a range and scrolls it into view, without moving the focus.
   *
   * @param written the text in which the range is
   * @returns false if the range was edited since
   */
  select: (written: string, range: TextRange) => boolean
  /** Replaces a range; undo brings it back. Parameters and result as for `select`. */
  replace: (written: string, range: TextRange, insert: string) => boolean
  /** The place of the cursor and the text around it; null while the editor does not have the focus. */
  cursor: () => { text: string; at: number } | null
  /** Replaces a misspelled name after a position. If the text no longer contains the name, only moves the cursor. */
  correct: (line: number, column: number, correction: Correction) => void
  /** Remembers the place of the cursor while the text changes. Returns a function that inserts text there. */
  rememberCursor: () => (text: string) => void
  /** Whether the tag, output or block at a position is still being typed. */
  isBeingTyped: (line: number, column: number) => boolean
}

/** What the editor does with the names of parts, records and files in a template. */
export interface NameActions {
  /** The names of the files of the space. */
  files: readonly string[]
  open: (name: NamedThing) => void
  /** Describes the thing in one line; null if it does not exist. */
  describe: (name: NamedThing) => Promise<string | null>
}

export interface CodeEditorProps {
  /** The text. Changing this prop replaces what was typed; undo brings it back. */
  value: string
  /** Called with the whole text after each change. */
  onChange?: (value: string) => void
  /** Called when the cursor has moved without a change of the text, and when the editor has gained or lost focus. */
  onCursor?: () => void
  language: CodeLanguage
  /** The editor's label, shown above it. */
  label: string
  /** Hides the label visually where the view already shows it. */
  isLabelHidden?: boolean
  diagnostics?: readonly Diagnostic[]
  /** Called with pictures that are dropped into the text or pasted, and a function that inserts text there. */
  onPictures?: (pictures: File[], insert: (text: string) => void) => void
  /** Called when the editor's code has loaded and `ref` is set. */
  onLoad?: () => void
  /** Buttons below the editor. */
  actions?: ReactNode
  /** Called on Ctrl+S or Cmd+S. */
  onSave?: () => void
  /** The names that Liquid completion suggests. */
  completions?: Vocabulary | undefined
  /** Makes the names of parts, records and files in a template open them; undefined while they load. */
  names?: NameActions | undefined
  /** An error about the text as a whole, such as its length. */
  error?: string | undefined
  isReadOnly?: boolean
  ref?: Ref<EditorHandle>
}

/** The names that a template of a space can use: tags, filters, and the space's data, parts, pages and files. */
export type Vocabulary = Outputs['editing']['vocabulary']
