import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { Confirm, DialogActions } from '../ui/Confirm.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { createPasskey, supportsPasskeys } from './ceremony.ts'
import { useConfirmedMutation } from './confirmation.tsx'
import { PasskeyFailure, SectionFailure } from './failures.tsx'

/** Lists passkeys; adds, renames and deletes them. */
export const PasskeysSection = () => {
  const entry = useQuery(api.accounts.entry.queryOptions())
  const passkeys = useQuery(api.passkeys.list.queryOptions())
  const add = useConfirmedMutation({
    mutationKey: api.passkeys.pathKey(),
    mutationFn: () => createPasskey(),
    onSuccess: ({ label }) => notifySuccess(`Passkey “${label}” added.`),
  })
  const [open, setOpen] = useState<{ task: PasskeyTask; passkey: Passkey } | null>(null)
  const close = () => setOpen(null)
  const canAdd = entry.data?.passkeys === true && supportsPasskeys()
  return (
    <Section
      title="Passkeys"
      text="Sign in with your fingerprint, face, device PIN or security key, without typing anything."
      action={
        canAdd && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => add.mutate()}
            loading={add.isPending}
          >
            Add a passkey
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <PasskeyFailure error={add.error} />
        <Loaded query={passkeys} placeholder={<LoadingRows count={1} />} failure={SectionFailure}>
          {list =>
            list.length === 0 ? (
              <Text size="sm">
                {entry.data?.passkeys === false
                  ? 'Passkeys are not available here: browsers support them only over HTTPS and on a domain name, not an IP address.'
                  : canAdd || entry.isPending
                    ? 'You have no passkeys yet.'
                    : 'This browser does not support passkeys.'}
              </Text>
            ) : (
              <Rows label="Passkeys">
                {list.map(passkey => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    onTask={task => setOpen({ task, passkey })}
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Stack>
      {open?.task === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.task === 'delete' && <DeletePasskey passkey={open.passkey} onClose={close} />}
    </Section>
  )
}

type Passkey = Outputs['passkeys']['list'][number]

type PasskeyTask = 'rename' | 'delete'

interface PasskeyRowProps {
  passkey: Passkey
  onTask: (task: PasskeyTask) => void
}

/** One row of the list of passkeys. */
const PasskeyRow = ({ passkey, onTask }: PasskeyRowProps) => {
  const { label } = passkey
  return (
    <Row
      icon={<IconFingerprint size={20} />}
      title={label}
      text={
        <>
          Added <RelativeTime at={passkey.created_at} />,{' '}
          {passkey.last_used_at ? (
            <>
              last used <RelativeTime at={passkey.last_used_at} />
            </>
          ) : (
            'not used yet'
          )}
          {passkey.backed_up ? ', synced between devices' : ''}
        </>
      }
    >
      <Button {...rowButton} onClick={() => onTask('rename')} aria-label={`Rename ${label}`}>
        Rename
      </Button>
      <Button {...rowDanger} onClick={() => onTask('delete')} aria-label={`Delete ${label}`}>
        Delete
      </Button>
    </Row>
  )
}

interface PasskeyDialogProps {
  passkey: Passkey
  onClose: () => void
}

/** Asks for confirmation before a passkey is deleted. It stays open if the passkey leaves the list. */
const DeletePasskey = ({ passkey: { id, label }, onClose }: PasskeyDialogProps) => {
  useFocusReturn()
  const remove = useConfirmedMutation(
    api.passkeys.delete.mutationOptions({
      onSuccess: () => {
        onClose()
        notifySuccess(`Passkey “${label}” deleted.`)
      },
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${label}?`}
      action="Delete passkey"
      onConfirm={() => remove.mutate({ passkey_id: id })}
      mutation={remove}
    >
      You will no longer be able to sign in with it. Your device may keep offering it until you delete it
      there too.
    </Confirm>
  )
}

/** Dialog for renaming a passkey. It stays open if the passkey leaves the list. */
const RenamePasskey = ({ passkey, onClose }: PasskeyDialogProps) => {
  useFocusReturn()
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { label: passkey.label } },
    api.passkeys.rename.mutationOptions({ onSuccess: onClose }),
  )
  return (
    <Modal opened onClose={onClose} title="Rename passkey" centered>
      <form {...props(({ label }) => ({ passkey_id: passkey.id, label }))}>
        <Stack>
          <TextInput
            label="Name"
            description="For example, the device it is on."
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('label')}
          />
          {failure}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={mutation.isPending}>
              Save name
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
