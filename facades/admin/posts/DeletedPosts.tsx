import { Button, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import picture from '../../shared/illustrations/trash.svg?raw'
import { api, client, type Outputs } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { ButtonLink, TextLink } from '../shell/ButtonLink.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Row, Rows } from '../shell/Rows.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { FORMAT_NAMES } from './formats.ts'
import { useRestoreDeleted } from './use-restore-deleted.ts'

type Deleted = Outputs['postHistory']['deleted']['posts'][number]

const DAY = 24 * 60 * 60_000

/** How long a post can still be restored: "30 days left to restore it". */
const timeLeft = ({ kept_until }: Deleted): string => {
  const days = Math.max(1, Math.ceil((Date.parse(kept_until) - Date.now()) / DAY))
  return `${days} ${days === 1 ? 'day' : 'days'} left to restore it`
}

/** Lists your own deleted posts and drafts, most recently deleted first. */
export const DeletedPosts = () => {
  const view = useRef<HTMLDivElement>(null)
  const list = useInfiniteQuery({
    queryKey: api.postHistory.deleted.pathKey(),
    queryFn: ({ pageParam: cursor, signal }) => client.postHistory.deleted.query({ cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const posts = list.data?.pages.flatMap(page => page.posts) ?? []
  return (
    <>
      <ViewTitle title="Deleted posts" text="Only you can see them, until they are deleted for good.">
        <ButtonLink to="/posts" variant="default">
          All posts
        </ButtonLink>
      </ViewTitle>
      <div ref={view} tabIndex={-1} style={{ outline: 'none' }}>
        {list.isPending ? (
          <LoadingRows />
        ) : list.isError && posts.length === 0 ? (
          <FailureView error={list.error} retry={() => void list.refetch()} />
        ) : posts.length === 0 ? (
          <Empty
            picture={picture}
            title="No deleted posts"
            text="Posts and drafts that you delete appear here for some time, and you can restore them."
          />
        ) : (
          <Stack>
            <Rows label="Deleted posts">
              {posts.map(post => (
                <DeletedRow key={post.id} post={post} onRestored={() => view.current?.focus()} />
              ))}
            </Rows>
            <ShowOlder query={list} what="posts" />
          </Stack>
        )}
      </div>
    </>
  )
}

/** A deleted post. @param onRestored called after the post was restored, before its row disappears */
const DeletedRow = ({ post, onRestored }: { post: Deleted; onRestored: () => void }) => {
  const restore = useRestoreDeleted(() => {
    notifySuccess(`${post.published ? 'Post' : 'Draft'} restored`)
    onRestored()
  })
  const title = post.title || 'Untitled'
  const format = FORMAT_NAMES[post.format]
  return (
    <Row
      icon={<IconTrash size={20} />}
      title={
        <TextLink
          to="/posts/$postId/history/$changeId"
          params={{ postId: post.id, changeId: post.change_id }}
        >
          <bdi>{title}</bdi>
        </TextLink>
      }
      text={
        <>
          {post.published ? format : `Draft, ${format}`} · deleted <RelativeTime at={post.deleted_at} /> ·{' '}
          {timeLeft(post)}
        </>
      }
    >
      <Button
        {...rowButton}
        aria-label={`Restore ${title}`}
        loading={restore.isPending}
        onClick={() =>
          restore.mutate(post.id, {
            onError: notifyFailure,
          })
        }
      >
        Restore
      </Button>
    </Row>
  )
}
