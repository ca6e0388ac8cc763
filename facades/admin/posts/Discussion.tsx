import { Alert, Box, Button } from '@mantine/core'
import { IconExternalLink, IconMessageCircleOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import picture from '../../shared/illustrations/comments.svg?raw'
import { api, root, rpc } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded, PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { CommentRow } from './CommentRow.tsx'

/** The comments on one of your posts, latest first. You can delete each of them, and close the post for comments. */
export const Discussion = () => {
  const { postId } = useParams({ from: '/signed-in/posts/$postId/comments' })
  const discussion = usePages([...api.discussions.get.pathKey(), postId], (cursor, options) =>
    rpc.discussions.get.query({ post_id: postId, cursor }, options),
  )
  const post = discussion.data?.pages.at(-1)
  if (!post)
    return (
      <>
        <ViewTitle title="Comments" />
        <Loaded
          query={discussion}
          placeholder={
            <Box maw="52rem">
              <LoadingRows />
            </Box>
          }
        >
          {() => null}
        </Loaded>
      </>
    )
  return (
    <>
      <ViewTitle
        title="Comments"
        of={post.title || 'Untitled'}
        text={
          <>
            On your {post.published ? 'post' : 'draft'} “<bdi>{post.title || 'Untitled'}</bdi>”. Everyone who
            can read it can read its comments.
          </>
        }
      >
        {post.published && (
          <Button
            component="a"
            href={new URL(`posts/${postId}#comments`, root).href}
            target="_blank"
            rel="noopener"
            variant="default"
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            Open post
          </Button>
        )}
        <ButtonLink variant="default" to="/posts/$postId" params={{ postId }}>
          Edit {post.published ? 'post' : 'draft'}
        </ButtonLink>
        <CloseButton postId={postId} isClosed={post.is_closed} />
      </ViewTitle>
      <div role="status">
        {post.is_closed && (
          <Alert mb="md" color="gray" icon={<IconMessageCircleOff aria-hidden />} title="Closed for comments">
            Nobody can add comments until you open the post again. Existing comments stay.
          </Alert>
        )}
      </div>
      <PagedList
        pages={discussion}
        itemsOf={page => page.comments}
        what="comments"
        gap="sm"
        maw="52rem"
        empty={
          <Empty
            picture={picture}
            title="No comments yet"
            text={
              post.published
                ? 'Comments appear here when readers write them on the page of the post.'
                : 'Readers can comment after you have published the draft.'
            }
          />
        }
      >
        {(comments, list) => (
          <Rows label="Comments">
            {comments.map(comment => (
              <CommentRow key={comment.id} comment={comment} onDeleted={() => focusAfterDialog(list)} />
            ))}
          </Rows>
        )}
      </PagedList>
    </>
  )
}

/** Closes the post for comments, or opens it again. Needs no confirmation, because the person can undo it. */
const CloseButton = ({ postId, isClosed }: { postId: string; isClosed: boolean }) => {
  const closing = useMutation(
    api.discussions.setClosed.mutationOptions({
      onSuccess: (_, { is_closed }) => {
        notifySuccess(is_closed ? 'The post is closed for comments.' : 'The post is open for comments.')
      },
      onError: notifyFailure,
    }),
  )
  return (
    <Button
      loading={closing.isPending}
      onClick={() => closing.mutate({ post_id: postId, is_closed: !isClosed })}
    >
      {isClosed ? 'Open for comments' : 'Close for comments'}
    </Button>
  )
}
