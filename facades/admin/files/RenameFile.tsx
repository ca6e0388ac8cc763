import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, type Outputs, queries } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useSpace } from '../use-space.ts'
import { extensionOf } from './extension.ts'

const FIELDS = ['name'] as const

/** The dialog that renames a file. */
export const RenameFile = ({ file, onClose }: { file: Outputs['files']['get']; onClose: () => void }) => {
  const { subdomain } = useSpace()
  const form = useForm({ initialValues: { name: file.name } })
  const rename = useMutation(
    api.files.update.mutationOptions({
      onSuccess: ({ name }) => {
        void queries.invalidateQueries(api.files.pathFilter())
        notifySuccess(`Renamed to ${name}`)
        onClose()
      },
      onError: error => form.setErrors(fieldErrors(failureOf(error), FIELDS)),
    }),
  )
  const before = extensionOf(file.name)
  const after = extensionOf(form.values.name)
  return (
    <Modal opened onClose={onClose} title="Rename file" centered>
      <form
        onSubmit={form.onSubmit(({ name }) => rename.mutate({ subdomain, file_id: file.id, name }))}
        noValidate
      >
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
          <FormFailure error={rename.error} names={FIELDS} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={rename.isPending} disabled={form.values.name === file.name}>
              Rename file
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
