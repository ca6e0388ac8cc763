import { Group, Input, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import classes from './CodeEditor.module.css'
import type { CodeEditorProps } from './code-editor-props.ts'

const CodeMirror = lazy(() => import('./CodeMirror.tsx'))

/** Tab indents, so keyboard users need another way out of the editor. */
const KEYBOARD_HINT = 'Tab indents. To leave the editor, press Escape, then Tab.'

/** A code editor that fills the height of its container. */
export const CodeEditor = ({ label, isLabelHidden, error, actions, ...props }: CodeEditorProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      {!isLabelHidden && (
        <Input.Label component="div" mb={4}>
          {label}
        </Input.Label>
      )}
      <div className={`${classes.editor} ${classes.colors}`} data-invalid={error ? true : undefined}>
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
      <Group justify="space-between" gap="xs" mt={4}>
        <Text id={`${id}-hint`} size="xs" c="dimmed">
          {props.isReadOnly ? 'This text is read-only.' : KEYBOARD_HINT}
        </Text>
        {actions}
      </Group>
    </div>
  )
}
