import { Button, Stack, TextInput } from '@mantine/core'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { notifySuccess } from '../ui/notify.ts'
import { useFormMutation } from '../ui/use-form-mutation.tsx'

/** Adds a domain to a space. */
export const AddDomain = ({ subdomain }: { subdomain: string }) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { domain: '' } },
    api.domains.add.mutationOptions({
      onSuccess: () => {
        form.reset()
        notifySuccess('Domain added. Now set its DNS records.')
      },
    }),
  )
  return (
    <form {...props(values => ({ subdomain, ...values }))}>
      <Stack mt="md" align="flex-start">
        <TextInput
          label="Domain"
          description="A domain that you own, such as bakery.example. With it comes www.bakery.example."
          placeholder="bakery.example"
          maxLength={limits.domainName}
          w="100%"
          maw="28rem"
          required
          withAsterisk={false}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...form.getInputProps('domain')}
        />
        {failure}
        <Button type="submit" loading={mutation.isPending} disabled={form.values.domain.trim() === ''}>
          Add a domain
        </Button>
      </Stack>
    </form>
  )
}
