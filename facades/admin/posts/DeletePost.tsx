import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, queryClient, rpc } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { offerUndo } from '../ui/offer-undo.tsx'

interface Post {
  id: string
  published: boolean
}

interface DeletePostProps {
  post: Post
  opened: boolean
  onClose: () => void
  /** Called after the post was deleted. */
  onDeleted: () => void
}

const isNotFound = (error: unknown) => failureOf(error).code === 'post_not_found'

/**
 * Deletes a post or draft.
 *
 * @returns false if the draft was published in the meantime. It is not deleted then, because deleting a
 * published post needs its own confirmation
 */
const deletePost = async ({ id, published }: Post): Promise<boolean> => {
  try {
    if (published) await rpc.posts.delete.mutate({ post_id: id })
    else await rpc.writing.deleteDraft.mutate({ post_id: id })
    return true
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  try {
    await rpc.posts.get.query({ post_id: id })
    return false
  } catch (error) {
    if (!isNotFound(error)) throw error
    return true
  }
}

/** Asks before a post or draft is deleted, and says what is deleted with it. */
export const DeletePost = ({ post, opened, onClose, onDeleted }: DeletePostProps) => {
  const deletion = useMutation({
    mutationKey: api.writing.pathKey(),
    mutationFn: deletePost,
    onSuccess: wasDeleted => {
      onClose()
      void queryClient.invalidateQueries(api.postHistory.pathFilter())
      if (!wasDeleted)
        return notifySuccess('This draft was published in the meantime, so it was not deleted.')
      offerUndo({
        title: post.published ? 'Post' : 'Draft',
        undo: async () => {
          await rpc.postHistory.restoreDeleted.mutate({ post_id: post.id })
          return true
        },
        link: () => (
          <TextLink size="sm" to="/posts/deleted">
            Deleted posts
          </TextLink>
        ),
      })
      onDeleted()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => onClose()}
      title={post.published ? 'Delete this post?' : 'Delete this draft?'}
      action={post.published ? 'Delete post' : 'Delete draft'}
      onConfirm={() => deletion.mutate(post)}
      mutation={deletion}
    >
      <Text>
        {post.published
          ? 'Its address stops working immediately. You can restore the post from your deleted posts for some time, but its likes and comments are deleted for good.'
          : 'Only you have seen it. You can restore it from your deleted posts for some time.'}
      </Text>
    </Confirm>
  )
}
