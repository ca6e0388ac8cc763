import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'

const FIELDS = ['handle'] as const

interface HandleFormProps {
  label: string
  /** Label of the button. */
  action: string
  save: (handle: string) => Promise<void>
}

/** A form that adds a person to a list by handle. */
export const HandleForm = ({ label, action, save }: HandleFormProps) => {
  const form = useForm({ initialValues: { handle: '' } })
  const add = useMutation({
    mutationFn: save,
    onSuccess: () => form.reset(),
    onError: error => showErrors(form, error, FIELDS),
  })
  return (
    <form onSubmit={form.onSubmit(({ handle }) => add.mutate(handle))} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            label={label}
            placeholder="Handle"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            style={{ flex: 1 }}
            errorProps={{ role: 'alert' }}
            inputWrapperOrder={['label', 'error', 'input']}
            {...form.getInputProps('handle')}
          />
          <Button type="submit" loading={add.isPending}>
            {action}
          </Button>
        </Group>
        <FormFailure error={add.error} names={FIELDS} />
      </Stack>
    </form>
  )
}
