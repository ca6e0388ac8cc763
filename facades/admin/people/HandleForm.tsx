import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'

interface HandleFormProps {
  label: string
  /** Label of the button. */
  action: string
  save: (handle: string) => Promise<void>
}

/** A form that adds a person to a list by handle. */
export const HandleForm = ({ label, action, save }: HandleFormProps) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { handle: '' } },
    {
      mutationFn: save,
      onSuccess: () => {
        form.reset()
      },
    },
  )
  return (
    <form {...props(({ handle }) => handle)}>
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
          <Button type="submit" loading={mutation.isPending}>
            {action}
          </Button>
        </Group>
        {failure}
      </Stack>
    </form>
  )
}
