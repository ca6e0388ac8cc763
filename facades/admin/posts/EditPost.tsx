import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { useStoredDraft } from '../drafts/use-kept-draft.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { PostEditor } from './PostEditor.tsx'
import { type Format, newPost, savedFrom, type Values } from './post-values.ts'

/** The view that creates or edits a post. */
export const EditPost = () => {
  const { postId } = useParams({ strict: false })
  const { format = 'markdown', draft: draftId } = useSearch({ from: '/signed-in/post-editor' })
  const navigate = useNavigate()
  const { key, id, draft, onCreated } = useEditorSession(
    postId,
    draftId,
    created => void navigate({ to: '/posts/$postId', params: { postId: created }, ...IN_PLACE }),
  )
  return <PostSession key={key} postId={id} draftId={draft} format={format} onCreated={onCreated} />
}

interface PostSessionProps {
  /** Undefined for a new post. */
  postId: string | undefined
  /** Identifies the unsaved draft of a new post. */
  draftId: string | undefined
  format: Format
  onCreated: (id: string) => void
}

/**
 * Loads the post and opens its editor. Ignores a later `postId`: the first save gives a new post its id, and the
 * editor must stay open.
 */
const PostSession = ({ postId, draftId, format, onCreated }: PostSessionProps) => {
  const [initialId] = useState(postId)
  // Never refetched: the editor owns the text, and a save detects changes made elsewhere.
  const post = useQuery(
    api.writing.get.queryOptions(initialId === undefined ? skipToken : { post_id: initialId }, {
      staleTime: 'static',
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  )
  const { newId, restored } = useStoredDraft<Values>({
    subdomain: null,
    kind: 'post',
    id: initialId,
    draftId,
  })
  if (restored !== undefined && (initialId === undefined || post.data)) {
    const initial = post.data ? savedFrom(post.data) : newPost(format)
    return (
      <PostEditor
        initial={initial}
        restored={restored}
        newId={newId}
        post={post.data}
        onCreated={onCreated}
      />
    )
  }
  return (
    <>
      <ViewTitle title="Post" />
      {post.isError ? (
        <FailureView error={post.error} retry={() => void post.refetch()} />
      ) : (
        <Loading rows={2} height={240} />
      )}
    </>
  )
}
