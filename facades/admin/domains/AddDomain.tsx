import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useDomainChange } from './use-domain-change.ts'

const FIELDS = ['domain'] as const

/** Adds a domain to a space. */
export const AddDomain = ({ subdomain }: { subdomain: string }) => {
  const form = useForm({ initialValues: { domain: '' } })
  const add = useDomainChange(
    api.domains.add.mutationOptions({
      onSuccess: () => {
        form.reset()
        notifySuccess('Domain added. Now set its DNS records.')
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
    subdomain,
  )
  return (
    <form onSubmit={form.onSubmit(({ domain }) => add.mutate({ subdomain, domain }))} noValidate>
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
        <FormFailure error={add.error} names={FIELDS} />
        <Button type="submit" loading={add.isPending} disabled={form.values.domain.trim() === ''}>
          Add a domain
        </Button>
      </Stack>
    </form>
  )
}
