import { Stack } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import picture from '../../shared/illustrations/history.svg?raw'
import { api, client } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ShowOlder } from '../feedback/ShowOlder.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { LoadingRows } from '../shell/LoadingRows.tsx'
import { rowButton } from '../shell/RowButton.tsx'
import { Row, Rows } from '../shell/Rows.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { actorName, eventOf } from './describe-change.ts'

/** The changes of one of your posts, latest first. */
export const PostHistory = () => {
  const { postId } = useParams({ from: '/signed-in/posts/$postId/history' })
  const history = useInfiniteQuery({
    queryKey: [...api.postHistory.list.pathKey(), postId],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.postHistory.list.query({ post_id: postId, cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const changes = history.data?.pages.flatMap(page => page.changes) ?? []
  const days = history.data?.pages[0]?.kept_days
  const isDeleted = changes[0]?.action === 'delete'
  return (
    <>
      <ViewTitle
        title="History of the post"
        text={`Earlier versions, which only you can see.${days === undefined ? '' : ` They are kept for up to ${days} ${days === 1 ? 'day' : 'days'}.`}`}
      >
        {history.data && !isDeleted && (
          <ButtonLink variant="default" to="/posts/$postId" params={{ postId }}>
            Edit post
          </ButtonLink>
        )}
      </ViewTitle>
      {history.isPending ? (
        <LoadingRows />
      ) : history.isError && changes.length === 0 ? (
        <FailureView error={history.error} retry={() => void history.refetch()} />
      ) : changes.length === 0 ? (
        <Empty
          picture={picture}
          title="No changes yet"
          text="When you change this post, its earlier versions appear here."
        />
      ) : (
        <Stack>
          <Rows label="Changes">
            {changes.map(change => (
              <Row
                key={change.id}
                icon={change.action === 'delete' ? <IconTrash size={20} /> : <IconPencil size={20} />}
                title={eventOf(change)}
                text={
                  <>
                    By <bdi>{actorName(change)}</bdi>, <RelativeTime at={change.at} />
                  </>
                }
              >
                <ButtonLink
                  {...rowButton}
                  to="/posts/$postId/history/$changeId"
                  params={{ postId, changeId: change.id }}
                >
                  View the previous version
                </ButtonLink>
              </Row>
            ))}
          </Rows>
          <ShowOlder query={history} what="changes" />
        </Stack>
      )}
    </>
  )
}
