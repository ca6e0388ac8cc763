import { useEffect, useRef } from 'react'
import { client, root } from '../api.ts'
import { Preview } from '../preview/Preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { bodyOf, isBlank, type Values } from './post-values.ts'

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
    const rendered = await client.writing.preview.mutate(bodyOf(values), { signal })
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
