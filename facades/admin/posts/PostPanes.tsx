import { Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { userRules } from '../../../routers/api/rules.ts'
import { root, rpc } from '../api.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { EditorHandle } from '../editor/code-editor-props.ts'
import { SplitView } from '../editor/SplitView.tsx'
import { PostPictures } from '../pictures/PostPictures.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { Preview } from '../preview/Preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { CharactersLeft } from '../ui/CharactersLeft.tsx'
import { focusFirstField } from '../ui/first-field.ts'
import { VisualEditor } from '../visual-editor/VisualEditor.tsx'
import type { VisualHandle } from '../visual-editor/visual-editor-props.ts'
import { bodyOf, FORMATS, type Format, isBlank, type Values } from './post-values.ts'
import { MODES, useWritingMode, VISUAL_MAX } from './writing-mode.ts'

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
  const visual = useRef<VisualHandle>(null)
  const [chosen, setChosen] = useWritingMode()
  const isTooLong = values.markdown.length > VISUAL_MAX
  const mode = format !== 'markdown' || isTooLong ? 'code' : chosen
  const pictures = usePictures(mode === 'code' ? editor : visual, format === 'markdown' ? 'markdown' : 'html')
  const onLoad = postId === null ? { onLoad: () => focusFirstField(visual.current ?? editor.current) } : {}
  const code = (
    <CodeEditor
      key={format}
      language={format === 'html' ? 'html' : 'markdown'}
      label={format === 'html' ? 'HTML' : 'Markdown'}
      isLabelHidden
      ref={editor}
      {...(mode === 'code' && onLoad)}
      {...(mode === 'code' ? pictures.props : {})}
      value={format === 'html' ? values.html : values.markdown}
      onChange={text => onChange({ [format]: text })}
      onSave={onSave}
      error={errors[format]}
    />
  )
  const preview = (
    <PostPreview values={values} document={document} postId={postId} isPublished={isPublished} />
  )
  return (
    <div {...(postId === null && { 'data-autofocus': true })}>
      <Group gap="xs" justify="space-between">
        <SegmentedControl
          value={format}
          onChange={format => onChange({ format })}
          data={CHOICES}
          aria-label="Format"
        />
        {format === 'markdown' && !isTooLong && (
          <SegmentedControl value={chosen} onChange={setChosen} data={MODES} aria-label="How to write" />
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {FORMATS[format].description}
        {format === 'markdown' && isTooLong && ' This post is too long for the visual editor.'}
      </Text>
      <PostPictures ref={pictures.uploader} />
      {mode === 'code' ? (
        <SplitView
          editor={
            format === 'reblog' ? (
              <ReblogFields values={values} errors={errors} onChange={onChange} isNew={postId === null} />
            ) : (
              code
            )
          }
          preview={preview}
        />
      ) : (
        <SplitView
          key="visual"
          editor={
            <VisualEditor
              label="Text"
              ref={visual}
              {...onLoad}
              {...pictures.props}
              choosePictures={pictures.choose}
              value={values.markdown}
              onChange={markdown => onChange({ markdown })}
              onSave={onSave}
              error={errors.markdown}
            />
          }
          preview={mode === 'both' ? code : preview}
          previewLabel={mode === 'both' ? 'Markdown' : 'Preview'}
        />
      )}
    </div>
  )
}

interface PostPreviewProps {
  values: Values
  /** The rendered post, if its Markdown source was not kept. */
  document: string | null
  postId: string | null
  isPublished: boolean
}

/** Shown while there is nothing to preview. */
const PLACEHOLDER = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Preview</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif }
p { max-width: 20rem; padding: 1rem; text-align: center; opacity: .75 }
</style>
<p>Your preview appears here as you write.</p>
`

/** Links in a post never open an editor. */
const NO_PAGES: [] = []

/** The review of a post is always empty, because posts are not templates. */
const NO_REVIEW = { hints: [], links: [], removed: [] }

/** Whether a link is still being typed; previewing it would only report an error. */
const isUnfinished = ({ format, url }: Values) =>
  format === 'reblog' && !/^https?:\/\/[^/\s]+/i.test(url.trim())

/** A live preview of the post, rendered by the service. */
export const PostPreview = ({ values, document, postId, isPublished }: PostPreviewProps) => {
  const preview = usePreview(async signal => {
    if (isBlank(values) || isUnfinished(values))
      return { outcome: 'document', kind: 'static', html: document ?? PLACEHOLDER, review: NO_REVIEW }
    const rendered = await rpc.writing.preview.mutate(bodyOf(values), { signal })
    return {
      outcome: 'document',
      kind: values.format === 'html' ? 'scripted' : 'static',
      html: rendered.document,
      review: NO_REVIEW,
    }
  })
  const { refreshSoon } = preview
  const body = JSON.stringify(bodyOf(values))
  const lastBody = useRef(body)
  useEffect(() => {
    if (lastBody.current === body) return
    lastBody.current = body
    refreshSoon()
  }, [body, refreshSoon])
  return (
    <Preview
      {...preview}
      site={root.href}
      title="Preview of the post"
      pages={NO_PAGES}
      savedUrl={isPublished && postId !== null ? new URL(`posts/${postId}`, root).href : undefined}
    />
  )
}

interface ReblogFieldsProps {
  values: Values
  errors: Record<string, string>
  onChange: (changed: Partial<Values>) => void
  /** Whether the post is new. In the form of a new post, the first field gets the focus. */
  isNew: boolean
}

/** The link to share and a comment on it. */
export const ReblogFields = ({ values, errors, onChange, isNew }: ReblogFieldsProps) => {
  const link = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) focusFirstField(link.current)
  }, [isNew])
  return (
    <Stack h="100%" p={4} style={{ overflow: 'auto' }}>
      <TextInput
        ref={link}
        label="Link"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        value={values.url}
        onChange={event => onChange({ url: event.currentTarget.value })}
        error={errors.url}
      />
      <Textarea
        label="Your comment"
        description={<CharactersLeft text={values.text} max={userRules.post.text.max_length} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={4}
        maxRows={10}
        value={values.text}
        onChange={event => onChange({ text: event.currentTarget.value })}
        error={errors.text}
      />
    </Stack>
  )
}
