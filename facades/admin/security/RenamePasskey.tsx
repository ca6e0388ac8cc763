import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { api, type Outputs } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'

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
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { label: passkey.label } },
    api.passkeys.rename.mutationOptions({ onSuccess: onClose }),
  )
  return (
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
  )
}
