import { Button, Divider, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { api } from '../api.ts'
import { PasswordField, RecoveryCodeField } from '../auth/fields.tsx'
import { useSession } from '../session.ts'
import { both, Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { confirmWithPasskey, supportsPasskeys } from './ceremony.ts'
import { PasskeyFailure } from './failures.tsx'

interface ConfirmationDialogProps {
  opened: boolean
  onConfirmed: () => void
  onClose: () => void
}

/** Asks the person to prove again who they are, before a sensitive action. */
export const ConfirmationDialog = ({ opened, onConfirmed, onClose }: ConfirmationDialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title="Confirm it’s you"
    centered
    // Show it above the dialog of the action that requires the confirmation.
    zIndex={getDefaultZIndex('modal') + 1}
  >
    <Confirmation onConfirmed={onConfirmed} />
  </Modal>
)

/**
 * Offers the account's ways to confirm. Recovery codes are offered only if the account has no password. An
 * account with no way to confirm can set a password, which counts as a confirmation.
 */
const Confirmation = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const { has_password } = useSession()
  const passkeys = useQuery(api.passkeys.list.queryOptions())
  const codes = useQuery(api.recovery.status.queryOptions(undefined, { enabled: !has_password }))
  if (has_password) return <Ways passkeys={passkeys.data?.length} onConfirmed={onConfirmed} />
  return (
    <Loaded query={both(passkeys, codes)} placeholder={<Loading rows={2} height={36} />}>
      {([{ length }, { left }]) => <Ways passkeys={length} codes={left} onConfirmed={onConfirmed} />}
    </Loaded>
  )
}

interface WaysProps {
  /** How many passkeys the account has; undefined while they load. */
  passkeys: number | undefined
  /** How many recovery codes the account has left; undefined if it has a password. */
  codes?: number
  onConfirmed: () => void
}

const Ways = ({ passkeys = 0, codes, onConfirmed }: WaysProps) => {
  const ways = [
    codes === undefined && <ConfirmWithPassword onConfirmed={onConfirmed} />,
    supportsPasskeys() && passkeys > 0 && <ConfirmWithPasskey onConfirmed={onConfirmed} />,
    codes !== undefined && codes > 0 && <ConfirmWithCode left={codes} onConfirmed={onConfirmed} />,
  ].filter(way => way !== false)
  // If this browser cannot use the account's passkeys, the person has to confirm in another browser.
  const hasOnlyPasskeys = ways.length === 0 && passkeys > 0
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        You signed in a while ago. Confirm it’s you before you continue.
      </Text>
      {ways.map((way, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the ways never change their order
        <Fragment key={index}>
          {index > 0 && <Divider label="or" />}
          {way}
        </Fragment>
      ))}
      {hasOnlyPasskeys && (
        <Text>
          This account has only passkeys, which this browser can’t use. Continue in a browser that has your
          passkey.
        </Text>
      )}
      {ways.length === 0 && !hasOnlyPasskeys && (
        <Text>
          You have no password, passkey or recovery code to confirm with. Sign out, and sign in again with a
          new link from the operator.
        </Text>
      )}
    </Stack>
  )
}

interface ConfirmWithCodeProps {
  /** How many codes the account has left. */
  left: number
  onConfirmed: () => void
}

/** Confirms the signed-in person's identity with a recovery code, which is used up. */
export const ConfirmWithCode = ({ left, onConfirmed }: ConfirmWithCodeProps) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { code: '' } },
    api.sessions.confirmWithCode.mutationOptions({ onSuccess: onConfirmed }),
  )
  return (
    <form {...props(values => values)}>
      <Stack>
        <RecoveryCodeField
          description={`Uses up one of your ${left} remaining codes.`}
          data-autofocus
          {...form.getInputProps('code')}
        />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Confirm with a recovery code
        </Button>
      </Stack>
    </form>
  )
}

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

/** Confirms the signed-in person's identity with the password. */
export const ConfirmWithPassword = ({ onConfirmed }: { onConfirmed: () => void }) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { password: '' } },
    api.sessions.confirm.mutationOptions({ onSuccess: onConfirmed }),
  )
  return (
    <form {...props(values => values)}>
      <Stack>
        <PasswordField data-autofocus {...form.getInputProps('password')} />
        {failure}
        <Button type="submit" loading={mutation.isPending}>
          Confirm
        </Button>
      </Stack>
    </form>
  )
}
