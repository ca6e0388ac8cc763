import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs } from '../api.ts'
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

/** Asks for confirmation before an open invitation is revoked. */
export const RevokeInvitation = ({ subdomain, invite, onDone, onClose }: RevokeInvitationProps) => {
  useFocusReturn()
  const finish = (message: string) => {
    onClose()
    onDone()
    notifySuccess(message)
  }
  const revoke = useMutation(
    api.invites.withdraw.mutationOptions({
      onSuccess: () => finish('Invitation revoked.'),
      onError: error =>
        failureOf(error).code === 'invite_not_found'
          ? finish('This invitation is no longer open: it was already used or revoked.')
          : undefined,
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Revoke invitation?"
      action="Revoke invitation"
      onConfirm={() => revoke.mutate({ subdomain, invite_id: invite.id })}
      mutation={revoke}
    >
      <Text>
        The link that {invite.inviter} created {relativeTime(invite.created_at)} will stop working.
      </Text>
    </Confirm>
  )
}
