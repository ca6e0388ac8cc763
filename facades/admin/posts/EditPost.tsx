import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api } from '../api.ts'
import { EditorSession, IN_PLACE } from '../editor/EditorSession.tsx'
import { Loading } from '../ui/Loading.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { PostEditor } from './PostEditor.tsx'
import { newPost, savedFrom, type Values, type Written } from './post-values.ts'

/** The view that creates or edits a post. */
export const EditPost = () => {
  const { postId } = useParams({ strict: false })
  const { format = 'markdown', draft } = useSearch({ from: '/signed-in/post-editor' })
  const navigate = useNavigate()
  return (
    <EditorSession<Values, Written>
      place={{ subdomain: null, kind: 'post' }}
      id={postId}
      draft={draft}
      query={post_id =>
        // Never refetched: the editor owns the text, and a save detects changes made elsewhere.
        api.writing.get.queryOptions(
          { post_id },
          { staleTime: 'static', gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
        )
      }
      navigate={created => void navigate({ to: '/posts/$postId', params: { postId: created }, ...IN_PLACE })}
      title={<ViewTitle title="Post" />}
      placeholder={<Loading rows={2} height={240} />}
    >
      {(post, editor) => (
        <PostEditor initial={post ? savedFrom(post) : newPost(format)} post={post} {...editor} />
      )}
    </EditorSession>
  )
}
