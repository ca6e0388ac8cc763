import { useMutation } from '@tanstack/react-query'
import { shownText } from '../../../routers/api/shown-text.ts'
import { type Outputs, queryClient, rpc } from '../api.ts'

export type PostChange = Outputs['postHistory']['list']['changes'][number]

/** What happened: "Restored an earlier version". */
export const eventOf = ({ action, cause }: PostChange): string => {
  if (action === 'delete') return 'Deleted'
  return cause === 'restore' ? 'Restored an earlier version' : 'Changed'
}

/** Who made a change: "you", or "your token Deploy (Claude)" for a program. */
export const actorName = ({ actor: { kind, label, agent } }: PostChange): string => {
  if (kind === 'session') return 'you'
  return shownText(`your token ${label ?? ''}${agent ? ` (${agent})` : ''}`)
}

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
