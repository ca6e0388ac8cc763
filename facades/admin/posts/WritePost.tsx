import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { PostEditor } from './PostEditor.tsx'
import { type Format, newPost, savedFrom } from './post-values.ts'

/** What is being written, and in which editor. */
interface Session {
  /** Another one is another editor. */
  key: number
  postId: string | undefined
  /** The post that the new one in this editor has become. */
  became?: string
}

/** The editor that belongs to an address. A new post keeps its editor when its first saving gives it an address. */
const sessionFor = (session: Session, postId: string | undefined): Session => {
  if (session.postId === postId) return session
  return postId !== undefined && session.became === postId
    ? { ...session, postId }
    : { key: session.key + 1, postId }
}

/** Writes a new post, or goes on with one. */
export const WritePost = () => {
  const { postId } = useParams({ strict: false })
  const { format = 'markdown' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [before, setSession] = useState<Session>({ key: 0, postId })
  const session = sessionFor(before, postId)
  if (session !== before) setSession(session)
  return (
    <PostSession
      key={session.key}
      postId={session.postId}
      format={format}
      onCreated={id => {
        setSession({ ...session, became: id })
        void navigate({
          to: '/posts/$postId',
          params: { postId: id },
          replace: true,
          ignoreBlocker: true,
          resetScroll: false,
          state: { keepsFocus: true },
        })
      }}
    />
  )
}

interface PostSessionProps {
  /** Undefined for a new post. */
  postId: string | undefined
  format: Format
  onCreated: (id: string) => void
}

/** One post being written, from the id that it began with. */
const PostSession = ({ postId, format, onCreated }: PostSessionProps) => {
  const [beganWith] = useState(postId)
  // Read once: what is typed must not change under the hands.
  const post = useQuery(
    api.writing.get.queryOptions(beganWith === undefined ? skipToken : { post_id: beganWith }, {
      staleTime: 'static',
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  )
  if (beganWith === undefined) return <PostEditor initial={newPost(format)} onCreated={onCreated} />
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
