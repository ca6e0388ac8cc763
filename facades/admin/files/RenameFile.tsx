import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { api, type Outputs } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'
import { useSpace } from '../use-space.ts'
import { extensionOf } from './extension.ts'

/** The dialog that renames a file. */
export const RenameFile = ({ file, onClose }: { file: Outputs['files']['get']; onClose: () => void }) => {
  const { subdomain } = useSpace()
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { name: file.name } },
    api.files.update.mutationOptions({
      onSuccess: ({ name }) => {
        notifySuccess(`Renamed to ${name}`)
        onClose()
      },
    }),
  )
  const before = extensionOf(file.name)
  const after = extensionOf(form.values.name)
  return (
    <Modal opened onClose={onClose} title="Rename file" centered>
      <form {...props(({ name }) => ({ subdomain, file_id: file.id, name }))}>
        <Stack>
          <TextInput
            label="Name"
            description="Its address stays the same."
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onFocus={event => event.currentTarget.setSelectionRange(0, file.name.length - before.length)}
            {...form.getInputProps('name')}
          />
          <div role="status">
            {before !== after && (
              <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
                <Text size="sm">
                  The extension decides how browsers open the file.{' '}
                  {after
                    ? `The new extension is ${after}`
                    : 'Without an extension, browsers download the file'}
                  ; the content does not change.
                </Text>
              </Alert>
            )}
          </div>
          {failure}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={mutation.isPending} disabled={form.values.name === file.name}>
              Rename file
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
