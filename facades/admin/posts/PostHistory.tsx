import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import picture from '../../shared/illustrations/history.svg?raw'
import { api, rpc } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { actorName, eventOf } from './post-changes.ts'

/** The changes of one of your posts, latest first. */
export const PostHistory = () => {
  const { postId } = useParams({ from: '/signed-in/posts/$postId/history' })
  const history = usePages([...api.postHistory.list.pathKey(), postId], (cursor, options) =>
    rpc.postHistory.list.query({ post_id: postId, cursor }, options),
  )
  const days = history.data?.pages[0]?.kept_days
  const isDeleted = history.data?.pages[0]?.changes[0]?.action === 'delete'
  return (
    <>
      <ViewTitle
        title="History of the post"
        text={`Earlier versions, which only you can see.${days === undefined ? '' : ` They are kept for up to ${counted(days, 'day')}.`}`}
      >
        {history.data && !isDeleted && (
          <ButtonLink variant="default" to="/posts/$postId" params={{ postId }}>
            Edit post
          </ButtonLink>
        )}
      </ViewTitle>
      <PagedList
        pages={history}
        itemsOf={page => page.changes}
        what="changes"
        empty={
          <Empty
            picture={picture}
            title="No changes yet"
            text="When you change this post, its earlier versions appear here."
          />
        }
      >
        {changes => (
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
        )}
      </PagedList>
    </>
  )
}
