import { useMutation } from '@tanstack/react-query'
import { client, queries } from '../api.ts'

/**
 * Restores a deleted post, given its id.
 *
 * @param onRestored called after the post was restored, before any query is refetched
 */
export const useRestoreDeleted = (onRestored: () => unknown) =>
  useMutation({
    mutationFn: (postId: string) => client.postHistory.restoreDeleted.mutate({ post_id: postId }),
    onSuccess: async () => {
      await onRestored()
      await queries.invalidateQueries()
    },
  })
