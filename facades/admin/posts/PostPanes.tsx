import { SegmentedControl, Text } from '@mantine/core'
import { useRef } from 'react'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { EditorHandle } from '../editor/code-editor-props.ts'
import { SplitView } from '../editor/SplitView.tsx'
import { PostPictures } from '../pictures/PostPictures.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { focusFirstField } from '../shell/first-field.ts'
import { FORMATS } from './formats.ts'
import { PostPreview } from './PostPreview.tsx'
import type { Format, Values } from './post-values.ts'
import { ReblogFields } from './ReblogFields.tsx'

interface PostPanesProps {
  values: Values
  errors: Record<string, string>
  onChange: (changed: Partial<Values>) => void
  onSave: () => void
  /** The rendered post, if its Markdown source was not kept. */
  document: string | null
  postId: string | null
  isPublished: boolean
}

const CHOICES = Object.entries(FORMATS).map(([value, { label }]) => ({ value: value as Format, label }))

/** The format switch, and the editor beside the preview. */
export const PostPanes = ({
  values,
  errors,
  onChange,
  onSave,
  document,
  postId,
  isPublished,
}: PostPanesProps) => {
  const { format } = values
  const editor = useRef<EditorHandle>(null)
  const pictures = usePictures(editor, format === 'markdown' ? 'markdown' : 'html')
  return (
    <div {...(postId === null && { 'data-autofocus': true })}>
      <SegmentedControl
        value={format}
        onChange={format => onChange({ format })}
        data={CHOICES}
        aria-label="Format"
      />
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {FORMATS[format].description}
      </Text>
      <PostPictures ref={pictures.uploader} />
      <SplitView
        editor={
          format === 'reblog' ? (
            <ReblogFields values={values} errors={errors} onChange={onChange} isNew={postId === null} />
          ) : (
            <CodeEditor
              key={format}
              language={format}
              label={format === 'html' ? 'HTML' : 'Markdown'}
              isLabelHidden
              ref={editor}
              {...(postId === null && { onLoad: () => focusFirstField(editor.current) })}
              {...pictures.props}
              value={values[format]}
              onChange={text => onChange({ [format]: text })}
              onSave={onSave}
              error={errors[format]}
            />
          )
        }
        preview={
          <PostPreview values={values} document={document} postId={postId} isPublished={isPublished} />
        }
      />
    </div>
  )
}
