import { Input, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import classes from '../editor/CodeEditor.module.css'
import type { UnifiedMergeProps } from './unified-merge-props.ts'

const UnifiedMergeView = lazy(() => import('./UnifiedMergeView.tsx'))

/**
 * Shows my text, with its differences from their text inline. Each difference has buttons to use theirs or
 * keep mine. Starts over when `theirs` changes. Fills the height of its container.
 */
export const UnifiedMerge = (props: UnifiedMergeProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      <Input.Label component="div" mb={4}>
        {props.label}
      </Input.Label>
      <div className={`${classes.editor} ${classes.colors}`}>
        <Suspense fallback={<Skeleton height="100%" radius="md" aria-hidden />}>
          <UnifiedMergeView key={props.theirs} {...props} describedBy={id} />
        </Suspense>
      </div>
      <Text id={id} size="xs" c="dimmed" mt={4}>
        Struck-out text is in the stored version only. Your text is below it and can be edited. To leave the
        editor, press Escape, then Tab.
      </Text>
    </div>
  )
}
