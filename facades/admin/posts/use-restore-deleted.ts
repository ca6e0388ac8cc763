import { useMutation } from '@tanstack/react-query'
import { queryClient, rpc } from '../api.ts'

/**
 * Restores a deleted post, given its id.
 *
 * @param onRestored called after the post was restored, before any query is refetched
 */
export const useRestoreDeleted = (onRestored: () => unknown) =>
  useMutation({
    mutationFn: (postId: string) => rpc.postHistory.restoreDeleted.mutate({ post_id: postId }),
    onSuccess: async () => {
      await onRestored()
      await queryClient.invalidateQueries()
    },
  })
