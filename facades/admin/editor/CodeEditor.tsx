import { Input, Skeleton, Text } from '@mantine/core'
import { lazy, type Ref, Suspense, useId } from 'react'
import classes from './CodeEditor.module.css'
import type { Vocabulary } from './vocabulary.ts'

export type CodeLanguage = 'liquid' | 'html' | 'markdown' | 'json'

/** Something to be said about a place of the text. */
export interface Diagnostic {
  /** From 1. */
  line: number
  /** From 1, in code points. */
  column: number
  message: string
  severity?: 'error' | 'warning' | 'info'
}

/** What can be done to an editor from outside. */
export interface EditorHandle {
  focus: () => void
  /** Puts another text in the place of this one, in a way that can be undone. */
  setText: (text: string) => void
  /** Moves cursor and view to a place. */
  goTo: (line: number, column: number) => void
}

export interface CodeEditorProps {
  /** The text. Another one takes the place of what has been typed, in a way that can be undone. */
  value: string
  /** Hears the whole text after each change. */
  onChange?: (value: string) => void
  language: CodeLanguage
  /** The editor's name, shown above it. */
  label: string
  /** Leaves the name to screen readers, where the view says it already. */
  isLabelHidden?: boolean
  diagnostics?: readonly Diagnostic[]
  /** Hears Ctrl+S, or Cmd+S. */
  onSave?: () => void
  /** What is known of the space, for what is proposed in Liquid. */
  completions?: Vocabulary | undefined
  /** What is wrong with the text as a whole: too long, say. */
  error?: string | undefined
  isReadOnly?: boolean
  ref?: Ref<EditorHandle>
}

const CodeMirror = lazy(() => import('./CodeMirror.tsx'))

/** Without these keys nobody could leave by keyboard: Tab indents. */
const LEAVING = 'Tab indents. To leave the editor, press Escape, then Tab.'

/** A text in one of the languages that spaces are written in. Fills the height that it is given. */
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
            key={props.isReadOnly ? 'reading' : 'writing'}
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
        {props.isReadOnly ? 'This text can only be read.' : LEAVING}
      </Text>
    </div>
  )
}
