import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { PostEditor } from './PostEditor.tsx'
import { type Format, newPost, savedFrom } from './post-values.ts'

/** The view that creates or edits a post. */
export const EditPost = () => {
  const { postId } = useParams({ strict: false })
  const { format = 'markdown' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    postId,
    created => void navigate({ to: '/posts/$postId', params: { postId: created }, ...IN_PLACE }),
  )
  return <PostSession key={key} postId={id} format={format} onCreated={onCreated} />
}

interface PostSessionProps {
  /** Undefined for a new post. */
  postId: string | undefined
  format: Format
  onCreated: (id: string) => void
}

/** Loads the post and opens its editor. Keeps the first `postId`, because a new post gets its id while it is open. */
const PostSession = ({ postId, format, onCreated }: PostSessionProps) => {
  const [initialId] = useState(postId)
  // Never refetched: the editor owns the text, and saving detects other changes.
  const post = useQuery(
    api.writing.get.queryOptions(initialId === undefined ? skipToken : { post_id: initialId }, {
      staleTime: 'static',
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  )
  if (initialId === undefined) return <PostEditor initial={newPost(format)} onCreated={onCreated} />
  if (post.data) return <PostEditor initial={savedFrom(post.data)} post={post.data} onCreated={onCreated} />
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
