import { Input, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import classes from '../editor/CodeEditor.module.css'

export interface MergeEditorProps {
  /** What is stored now; it stays as it is. */
  theirs: string
  /** The text that is being written, as it was when the two were put beside each other. */
  mine: string
  /** Hears my text after each change. */
  onChange: (mine: string) => void
  label: string
}

const MergeMirror = lazy(() => import('./MergeMirror.tsx'))

/**
 * My text with whatever theirs has otherwise put into it, place by place, each to be taken or left. Begins anew with
 * another `theirs`. Fills the height that it is given.
 */
export const MergeEditor = (props: MergeEditorProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      <Input.Label component="div" mb={4}>
        {props.label}
      </Input.Label>
      <div className={`${classes.editor} ${classes.colours}`}>
        <Suspense fallback={<Skeleton height="100%" radius="md" aria-hidden />}>
          <MergeMirror key={props.theirs} {...props} describedBy={id} />
        </Suspense>
      </div>
      <Text id={id} size="xs" c="dimmed" mt={4}>
        Struck out is what the stored version has and yours has not; below it is yours, which can be edited.
        To leave the editor, press Escape, then Tab.
      </Text>
    </div>
  )
}
