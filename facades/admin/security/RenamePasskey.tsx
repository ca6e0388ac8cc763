import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs, queries } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'

const FIELDS = ['label'] as const

interface RenamePasskeyProps {
  passkey: Outputs['passkeys']['list'][number]
  opened: boolean
  onClose: () => void
}

/** Dialog for renaming a passkey. */
export const RenamePasskey = ({ opened, onClose, ...props }: RenamePasskeyProps) => (
  <Modal opened={opened} onClose={onClose} title="Rename passkey" centered>
    <NameForm {...props} onClose={onClose} />
  </Modal>
)

const NameForm = ({ passkey, onClose }: Omit<RenamePasskeyProps, 'opened'>) => {
  const form = useForm({ initialValues: { label: passkey.label } })
  const rename = useMutation(
    api.passkeys.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(api.passkeys.list.pathFilter())
        onClose()
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <form
      onSubmit={form.onSubmit(({ label }) => rename.mutate({ passkey_id: passkey.id, label }))}
      noValidate
    >
      <Stack>
        <TextInput
          label="Name"
          description="For example, the device it is on."
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('label')}
        />
        <FormFailure error={rename.error} names={FIELDS} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={rename.isPending}>
            Save name
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
