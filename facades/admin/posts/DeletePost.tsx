import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, client, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'

interface Post {
  id: string
  published: boolean
}

interface DeletePostProps {
  post: Post
  opened: boolean
  onClose: () => void
  /** Called when it is gone. */
  onDeleted: () => void
}

const isNotFound = (error: unknown) => failureOf(error).code === 'post_not_found'

/** @returns whether it is gone; a draft that has been published in the meantime is not, because nobody asked for that */
const remove = async ({ id, published }: Post): Promise<boolean> => {
  try {
    if (published) await client.posts.delete.mutate({ post_id: id })
    else await client.drafts.delete.mutate({ post_id: id })
    return true
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  try {
    await client.posts.get.query({ post_id: id })
    return false
  } catch (error) {
    if (!isNotFound(error)) throw error
    return true
  }
}

/** Asks before a post is deleted, and says what goes with it. */
export const DeletePost = ({ post, opened, onClose, onDeleted }: DeletePostProps) => {
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: async isGone => {
      onClose()
      await queries.invalidateQueries(api.writing.list.pathFilter())
      if (!isGone) return notifySuccess('It has been published in the meantime, so it was not deleted.')
      notifySuccess(post.published ? 'The post is gone.' : 'The draft is gone.')
      onDeleted()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        deletion.reset()
        onClose()
      }}
      title={post.published ? 'Delete this post?' : 'Delete this draft?'}
      action={post.published ? 'Delete post' : 'Delete draft'}
      onConfirm={() => deletion.mutate(post)}
      pending={deletion.isPending}
      error={deletion.error}
    >
      <Text>
        {post.published
          ? 'Its address stops opening at once, and its likes and comments go with it. Nobody can bring it back.'
          : 'Nobody but you has seen it. Nobody can bring it back.'}
      </Text>
    </Confirm>
  )
}
