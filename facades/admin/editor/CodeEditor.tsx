import { Input, Skeleton, Text } from '@mantine/core'
import { lazy, type Ref, Suspense, useId } from 'react'
import classes from './CodeEditor.module.css'
import type { Vocabulary } from './vocabulary.ts'

export type CodeLanguage = 'liquid' | 'html' | 'markdown' | 'json'

/** A message about one position in the text. */
export interface Diagnostic {
  /** From 1. */
  line: number
  /** From 1, in code points. */
  column: number
  message: string
  severity?: 'error' | 'warning' | 'info'
}

/** What a parent component can do with an editor. */
export interface EditorHandle {
  focus: () => void
  /** Replaces the whole text; undo brings it back. */
  setText: (text: string) => void
  /** Moves the cursor to a position and scrolls it into view. */
  goTo: (line: number, column: number) => void
}

export interface CodeEditorProps {
  /** The text. Changing this prop replaces what was typed; undo brings it back. */
  value: string
  /** Called with the whole text after each change. */
  onChange?: (value: string) => void
  language: CodeLanguage
  /** The editor's label, shown above it. */
  label: string
  /** Hides the label visually where the view already shows it. */
  isLabelHidden?: boolean
  diagnostics?: readonly Diagnostic[]
  /** Called on Ctrl+S or Cmd+S. */
  onSave?: () => void
  /** The names in the space that Liquid completion suggests. */
  completions?: Vocabulary | undefined
  /** An error about the text as a whole, such as its length. */
  error?: string | undefined
  isReadOnly?: boolean
  ref?: Ref<EditorHandle>
}

const CodeMirror = lazy(() => import('./CodeMirror.tsx'))

/** Tab indents, so keyboard users need another way out of the editor. */
const KEYBOARD_HINT = 'Tab indents. To leave the editor, press Escape, then Tab.'

/** A code editor that fills the height of its container. */
export const CodeEditor = ({ label, isLabelHidden, error, ...props }: CodeEditorProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      {!isLabelHidden && (
        <Input.Label component="div" mb={4}>
          {label}
        </Input.Label>
      )}
      <div className={`${classes.editor} ${classes.colours}`} data-invalid={error ? true : undefined}>
        <Suspense fallback={<Skeleton height="100%" radius="md" aria-hidden />}>
          <CodeMirror
            {...props}
            key={props.isReadOnly ? 'read-only' : 'editable'}
            label={label}
            describedBy={`${id}-hint${error ? ` ${id}-error` : ''}`}
            isInvalid={Boolean(error)}
          />
        </Suspense>
      </div>
      {error && (
        <Input.Error id={`${id}-error`} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
      <Text id={`${id}-hint`} size="xs" c="dimmed" mt={4}>
        {props.isReadOnly ? 'This text is read-only.' : KEYBOARD_HINT}
      </Text>
    </div>
  )
}
