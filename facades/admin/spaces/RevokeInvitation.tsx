import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { relativeTime } from '../feedback/RelativeTime.tsx'
import { useFocusReturn } from '../feedback/use-focus-return.ts'

interface RevokeInvitationProps {
  subdomain: string
  invite: Outputs['invites']['list'][number]
  onDone: () => void
  onClose: () => void
}

/** Asks before an open invitation is withdrawn. */
export const RevokeInvitation = ({ subdomain, invite, onDone, onClose }: RevokeInvitationProps) => {
  useFocusReturn()
  const finish = async (message: string) => {
    await Promise.all([
      queries.invalidateQueries(api.invites.pathFilter()),
      // Somebody may have used it.
      queries.invalidateQueries(api.participants.pathFilter()),
    ])
    onClose()
    onDone()
    notifySuccess(message)
  }
  const withdraw = useMutation(
    api.invites.withdraw.mutationOptions({
      onSuccess: () => finish('The invitation has been withdrawn.'),
      onError: error =>
        failureOf(error).code === 'invite_not_found'
          ? finish('The invitation is not open any more: it was used or withdrawn.')
          : undefined,
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Withdraw the invitation?"
      action="Withdraw"
      onConfirm={() => withdraw.mutate({ subdomain, invite_id: invite.id })}
      pending={withdraw.isPending}
      error={withdraw.error}
    >
      <Text>
        The link that {invite.inviter} made {relativeTime(invite.created_at)} opens no more.
      </Text>
    </Confirm>
  )
}
