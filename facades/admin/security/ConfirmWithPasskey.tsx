import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { confirmWithPasskey } from '../passkeys/ceremony.ts'
import { PasskeyFailure } from '../passkeys/PasskeyFailure.tsx'

/** Confirms the signed-in person's identity with a passkey. */
export const ConfirmWithPasskey = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const confirm = useMutation({ mutationFn: confirmWithPasskey, onSuccess: onConfirmed })
  return (
    <>
      <PasskeyFailure error={confirm.error} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => confirm.mutate()}
        loading={confirm.isPending}
      >
        Confirm with a passkey
      </Button>
    </>
  )
}
