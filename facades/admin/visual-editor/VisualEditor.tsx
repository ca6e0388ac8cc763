import { Group, Input, Skeleton, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId } from 'react'
import classes from './VisualEditor.module.css'
import type { VisualEditorProps } from './visual-editor-props.ts'

const ProseMirror = lazy(() => import('./ProseMirror.tsx'))

/** An editor that shows Markdown as readers will see it. It fills the height of its container. */
export const VisualEditor = ({
  error,
  actions,
  ...props
}: VisualEditorProps & { error?: string | undefined; actions: ReactNode }) => {
  const id = useId()
  return (
    <div className={classes.field}>
      <div className={classes.frame} data-invalid={error ? true : undefined}>
        <Suspense fallback={<Skeleton height="100%" radius="md" aria-hidden />}>
          <ProseMirror
            {...props}
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
          Type / for blocks. To leave the editor, press Escape, then Tab.
        </Text>
        {actions}
      </Group>
    </div>
  )
}
