import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import picture from '../../shared/illustrations/trash.svg?raw'
import { api, type Outputs, rpc } from '../api.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useRestoreDeleted } from './post-changes.ts'
import { FORMAT_NAMES } from './post-values.ts'

type Deleted = Outputs['postHistory']['deleted']['posts'][number]

const DAY = 24 * 60 * 60_000

/** How long a post can still be restored: "30 days left to restore it". */
const timeLeft = ({ kept_until }: Deleted): string => {
  const days = Math.max(1, Math.ceil((Date.parse(kept_until) - Date.now()) / DAY))
  return `${counted(days, 'day')} left to restore it`
}

/** Lists your own deleted posts and drafts, most recently deleted first. */
export const DeletedPosts = () => {
  const deleted = usePages(api.postHistory.deleted.pathKey(), (cursor, options) =>
    rpc.postHistory.deleted.query({ cursor }, options),
  )
  return (
    <>
      <ViewTitle title="Deleted posts" text="Only you can see them, until they are deleted for good.">
        <ButtonLink to="/posts" variant="default">
          All posts
        </ButtonLink>
      </ViewTitle>
      <PagedList
        pages={deleted}
        itemsOf={page => page.posts}
        what="posts"
        empty={
          <Empty
            picture={picture}
            title="No deleted posts"
            text="Posts and drafts that you delete appear here for some time, and you can restore them."
          />
        }
      >
        {(posts, list) => (
          <Rows label="Deleted posts">
            {posts.map(post => (
              <DeletedRow key={post.id} post={post} onRestored={() => list.current?.focus()} />
            ))}
          </Rows>
        )}
      </PagedList>
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
