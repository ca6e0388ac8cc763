import { useEffect, useRef } from 'react'
import { client, root } from '../api.ts'
import { Preview } from '../preview/Preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { bodyOf, isBlank, type Values } from './post-values.ts'

interface PostPreviewProps {
  values: Values
  /** What readers see now, where that cannot be made anew. */
  document: string | null
  postId: string | null
  isPublished: boolean
}

const NOTHING = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Nothing yet</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif }
p { max-width: 20rem; padding: 1rem; text-align: center; opacity: .75 }
</style>
<p>What readers will see shows here as you write.</p>
`

/** An address that is still being typed is no mistake yet. */
const isUnfinished = ({ format, url }: Values) =>
  format === 'reblog' && !/^https?:\/\/[^/\s]+/i.test(url.trim())

/** What readers will see, made by the service of what is in the fields, and shown as far from the screen as a post is. */
export const PostPreview = ({ values, document, postId, isPublished }: PostPreviewProps) => {
  const preview = usePreview(async () => {
    if (isBlank(values) || isUnfinished(values))
      return { outcome: 'document', kind: 'static', html: document ?? NOTHING }
    const made = await client.writing.preview.mutate(bodyOf(values))
    return {
      outcome: 'document',
      kind: values.format === 'html' ? 'scripted' : 'static',
      html: made.document,
    }
  })
  const { touch } = preview
  const body = JSON.stringify(bodyOf(values))
  const shown = useRef(body)
  useEffect(() => {
    if (shown.current === body) return
    shown.current = body
    touch()
  }, [body, touch])
  return (
    <Preview
      {...preview}
      site={root.href}
      title="Preview of the post"
      savedUrl={isPublished && postId !== null ? new URL(`posts/${postId}`, root).href : undefined}
    />
  )
}
