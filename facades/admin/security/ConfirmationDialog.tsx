import { Button, Divider, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { PasswordField } from '../auth/fields.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { confirmWithPasskey, supportsPasskeys } from '../passkeys/ceremony.ts'
import { PasskeyFailure } from '../passkeys/PasskeyFailure.tsx'
import { useSession } from '../session.ts'

const FIELDS = ['password'] as const

interface ConfirmationDialogProps {
  opened: boolean
  onConfirmed: () => void
  onClose: () => void
}

/** Asks for the password or a passkey again before a sensitive action. */
export const ConfirmationDialog = ({ opened, onConfirmed, onClose }: ConfirmationDialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title="Confirm it’s you"
    centered
    // Show it above the dialog of the action that requires the confirmation.
    zIndex={getDefaultZIndex('modal') + 1}
  >
    <ConfirmationForm onConfirmed={onConfirmed} />
  </Modal>
)

const ConfirmationForm = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const { has_password } = useSession()
  const passkeys = useQuery(api.passkeys.list.queryOptions())
  const form = useForm({ initialValues: { password: '' } })
  const byPassword = useMutation(
    api.sessions.confirm.mutationOptions({
      onSuccess: onConfirmed,
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  const byPasskey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: onConfirmed })
  const canUsePasskey = supportsPasskeys() && (passkeys.data ?? []).length > 0
  return (
    <form onSubmit={form.onSubmit(values => byPassword.mutate(values))} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          You signed in a while ago. Confirm it’s you before you continue.
        </Text>
        {has_password && (
          <>
            <PasswordField data-autofocus {...form.getInputProps('password')} />
            <FormFailure error={byPassword.error} names={FIELDS} />
            <Button type="submit" loading={byPassword.isPending}>
              Confirm
            </Button>
          </>
        )}
        {has_password && canUsePasskey && <Divider label="or" />}
        {canUsePasskey && (
          <>
            <PasskeyFailure error={byPasskey.error} />
            <Button
              variant="default"
              leftSection={<IconFingerprint size={18} aria-hidden />}
              onClick={() => byPasskey.mutate()}
              loading={byPasskey.isPending}
            >
              Confirm with a passkey
            </Button>
          </>
        )}
        {!has_password && !canUsePasskey && (
          <Text>
            You have no password or passkey to confirm with. Set a password under Security, or sign out and
            sign in again with a new link.
          </Text>
        )}
      </Stack>
    </form>
  )
}
