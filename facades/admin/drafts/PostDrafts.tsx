import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { DraftList } from './DraftList.tsx'

/** Your unsaved changes to posts. */
export const PostDrafts = () => {
  const { data } = useQuery(api.unsavedPosts.list.queryOptions({}))
  return (
    <DraftList
      subdomain={null}
      kind="post"
      drafts={data?.drafts ?? []}
      linkTo={({ thing, is_new }, text) =>
        is_new ? (
          <TextLink to="/new-post" search={{ draft: thing }}>
            {text}
          </TextLink>
        ) : (
          <TextLink to="/posts/$postId" params={{ postId: thing }}>
            {text}
          </TextLink>
        )
      }
    />
  )
}
