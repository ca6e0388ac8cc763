import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import { FORMATS } from './formats.ts'
import classes from './PostPanes.module.css'
import { PostPreview } from './PostPreview.tsx'
import type { Format, Values } from './post-values.ts'
import { ReblogFields } from './ReblogFields.tsx'

interface PostPanesProps {
  values: Values
  errors: Record<string, string>
  onChange: (changed: Partial<Values>) => void
  /** What readers see now, where that cannot be made anew. */
  document: string | null
  postId: string | null
  isPublished: boolean
}

const CHOICES = Object.entries(FORMATS).map(([value, { label }]) => ({ value: value as Format, label }))

/** What is written, and beside it what readers will see; on a narrow screen one of them at a time. */
export const PostPanes = ({ values, errors, onChange, document, postId, isPublished }: PostPanesProps) => {
  const [pane, setPane] = useState<'write' | 'preview'>('write')
  const { format } = values
  return (
    <div>
      <div className={classes.bar}>
        <SegmentedControl
          value={format}
          onChange={format => onChange({ format })}
          data={CHOICES}
          aria-label="Format"
        />
        <SegmentedControl
          hiddenFrom="md"
          value={pane}
          onChange={setPane}
          data={[
            { value: 'write' as const, label: 'Write' },
            { value: 'preview' as const, label: 'Preview' },
          ]}
          aria-label="What is shown"
        />
      </div>
      <Text size="sm" c="dimmed" mb="sm">
        {FORMATS[format].words}
      </Text>
      <div className={classes.panes} data-pane={pane}>
        <div className={classes.write}>
          {format === 'reblog' ? (
            <ReblogFields values={values} errors={errors} onChange={onChange} />
          ) : (
            <CodeEditor
              key={format}
              language={format}
              label={format === 'html' ? 'Document' : 'Text'}
              isLabelHidden
              value={values[format]}
              onChange={text => onChange({ [format]: text })}
              error={errors[format]}
            />
          )}
        </div>
        <div className={classes.preview}>
          <PostPreview values={values} document={document} postId={postId} isPublished={isPublished} />
        </div>
      </div>
    </div>
  )
}
