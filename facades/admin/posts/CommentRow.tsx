import { Anchor, Text } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs, root, rpc } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { RowDeleteButton } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { FormattedText } from './FormattedText.tsx'

interface CommentRowProps {
  comment: Outputs['discussions']['get']['comments'][number]
  /** Called after the comment has left the list. */
  onDeleted: () => void
}

/** Deletes a comment. A comment that no longer exists counts as deleted. */
const remove = async (comment_id: string) => {
  try {
    await rpc.comments.deleteOnOwnPost.mutate({ comment_id })
  } catch (error) {
    if (failureOf(error).code !== 'comment_not_found') throw error
  }
}

/** A comment on one of your posts, with a button to delete it. */
export const CommentRow = ({ comment, onDeleted }: CommentRowProps) => {
  const [isDeleting, setDeleting] = useState(false)
  const deletion = useMutation({
    mutationKey: api.discussions.pathKey(),
    mutationFn: remove,
    onSuccess: () => {
      setDeleting(false)
      notifySuccess('Comment deleted.')
      onDeleted()
    },
  })
  return (
    <Row
      icon={<IconMessageCircle size={20} />}
      title={
        <Anchor href={new URL(`@${comment.author_handle}`, root).href} target="_blank" rel="noopener">
          <bdi>{comment.author_name}</bdi>
        </Anchor>
      }
      badges={
        <Text size="sm" c="dimmed">
          <RelativeTime at={comment.created_at} />
          {comment.is_edited && ' · edited'}
        </Text>
      }
      text={
        comment.html === null ? (
          <Text dir="auto" c="var(--mantine-color-text)" style={{ whiteSpace: 'pre-wrap' }}>
            {comment.body}
          </Text>
        ) : (
          <FormattedText html={comment.html} />
        )
      }
    >
      <RowDeleteButton what={`the comment by ${comment.author_name}`} onClick={() => setDeleting(true)} />
      <Confirm
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this comment?"
        action="Delete comment"
        onConfirm={() => deletion.mutate(comment.id)}
        mutation={deletion}
      >
        <Text>
          The comment by <b>@{comment.author_handle}</b> disappears for everyone. This can’t be undone.
        </Text>
      </Confirm>
    </Row>
  )
}
