import { Group, SegmentedControl } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import picture from '../../shared/illustrations/posts.svg?raw'
import { api, rpc } from '../api.ts'
import { useKey } from '../shell/single-keys.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { PostDrafts } from '../unsaved/DraftList.tsx'
import { postSearch } from '../view-search.ts'
import { PostRow } from './PostRow.tsx'

const route = getRouteApi('/signed-in/posts')

const EMPTY = {
  drafts: { title: 'No drafts', text: 'Posts you save appear here until you publish them.' },
  published: { title: 'No published posts', text: 'Posts that everyone can read appear here.' },
}

/** Your drafts and published posts, newest first. */
export const Posts = () => {
  const { show = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const create = useKey('C')
  const posts = usePages([...api.writing.list.pathKey(), show], (cursor, options) =>
    rpc.writing.list.query({ show, cursor }, options),
  )
  const newPost = (
    <ButtonLink to="/new-post" {...create} leftSection={<IconPlus size={18} aria-hidden />}>
      New post
    </ButtonLink>
  )
  const counts = posts.data?.pages.at(-1)
  const all = counts && counts.drafts + counts.published
  const deleted = counts !== undefined && counts.deleted > 0 && (
    <ButtonLink
      to="/posts/deleted"
      variant="subtle"
      color="gray"
      leftSection={<IconTrash size={18} aria-hidden />}
    >
      Deleted posts
    </ButtonLink>
  )
  if (all === 0)
    return (
      <>
        <ViewTitle title="Posts" />
        <PostDrafts />
        <Empty
          picture={picture}
          title="Write your first post"
          text="Posts belong to you, not to a space. Write Markdown or your own HTML document, or share a link. Only you can see your drafts."
        >
          {newPost}
          {deleted}
        </Empty>
      </>
    )
  const number = (figure: number | undefined) => (figure === undefined ? '' : ` ${figure}`)
  return (
    <>
      <ViewTitle title="Posts" text="Published posts appear on the timeline and on your profile.">
        {newPost}
      </ViewTitle>
      <PostDrafts />
      <Group justify="space-between" mb="md" gap="xs">
        <SegmentedControl
          value={show}
          onChange={show => void navigate({ search: postSearch({ show }), replace: true })}
          data={[
            { value: 'all', label: `All${number(all)}` },
            { value: 'drafts', label: `Drafts${number(counts?.drafts)}` },
            { value: 'published', label: `Published${number(counts?.published)}` },
          ]}
          aria-label="Filter posts"
        />
        {deleted}
      </Group>
      <PagedList
        pages={posts}
        itemsOf={page => page.posts}
        what="posts"
        placeholder={<LoadingRows count={5} lines={2} />}
        gap="sm"
        empty={
          show !== 'all' && (
            <Empty picture={picture} {...EMPTY[show]}>
              <ButtonLink to="/posts" variant="default">
                Show all posts
              </ButtonLink>
            </Empty>
          )
        }
      >
        {(listed, list) => (
          <Rows label="Posts">
            {listed.map(post => (
              <PostRow key={post.id} post={post} onDeleted={() => focusAfterDialog(list)} />
            ))}
          </Rows>
        )}
      </PagedList>
    </>
  )
}
