import { Button, Text } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { ReasonField } from './ReasonField.tsx'

/** Suspends the author of a reported post or comment, with a reason. */
export const SuspendButton = ({ handle }: { handle: string }) => {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const suspension = useMutation(
    api.suspensions.add.mutationOptions({
      onSuccess: () => {
        setAsking(false)
        notifySuccess(`@${handle} is suspended.`)
      },
    }),
  )
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        color="red"
        c="var(--mantine-color-error)"
        leftSection={<IconUserOff size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Suspend author
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Suspend @${handle}?`}
        action="Suspend account"
        onConfirm={() => suspension.mutate({ handle, reason })}
        mutation={suspension}
      >
        <Text>
          Posts and comments of this account are hidden, and it can’t post, comment, like, follow or report.
          Its spaces and open reports stay. You can lift the suspension at any time.
        </Text>
        <ReasonField reader="The person" value={reason} onChange={setReason} />
      </Confirm>
    </>
  )
}
