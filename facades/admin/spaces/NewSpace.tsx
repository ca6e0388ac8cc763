import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { limits } from '../../../routers/core/rules.ts'
import { api, queries } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { showErrors } from '../feedback/form-errors.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { AddressPreview } from './AddressPreview.tsx'
import { suggestSubdomain } from './suggest-subdomain.ts'
import { useSubdomainState } from './use-subdomain-state.ts'

const FIELDS = ['name', 'subdomain'] as const

/** Makes a space and leads to it. */
export const NewSpace = () => {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '', subdomain: '' } })
  const [isOwnSubdomain, setOwnSubdomain] = useState(false)
  const { subdomain } = form.values
  const state = useSubdomainState(subdomain)
  const create = useMutation(
    api.spaces.create.mutationOptions({
      onSuccess: async space => {
        await queries.invalidateQueries(api.spaces.pathFilter())
        await navigate({ to: '/spaces/$subdomain', params: { subdomain: space.subdomain } })
      },
      onError: error => {
        showErrors(form, error, FIELDS)
        if (failureOf(error).code !== 'subdomain_taken') return
        form.setFieldError('subdomain', 'Another space has this address already. Choose another one.')
        form.getInputNode('subdomain')?.focus()
      },
    }),
  )
  const isTaken = create.error !== null && failureOf(create.error).code === 'subdomain_taken'
  return (
    <Stack maw="36rem" gap={0}>
      <ViewTitle
        title="New space"
        text="A space is one website with its pages, parts, data and files, and the people who run it."
      />
      <Paper withBorder radius="lg" p={{ base: 'md', sm: 'lg' }}>
        <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
          <Stack>
            <TextInput
              label="Name"
              description="Shown to visitors. It can be changed at any time."
              placeholder="The Garden Club"
              maxLength={limits.spaceName}
              required
              withAsterisk={false}
              autoComplete="off"
              {...form.getInputProps('name')}
              onChange={event => {
                const typed = event.currentTarget.value
                form.setFieldValue('name', typed)
                if (!isOwnSubdomain) form.setFieldValue('subdomain', suggestSubdomain(typed))
              }}
            />
            <TextInput
              label="Subdomain"
              description="The beginning of your site's address. It stays as it is."
              required
              withAsterisk={false}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...form.getInputProps('subdomain')}
              onChange={event => {
                const typed = event.currentTarget.value.toLowerCase().replace(/\s/g, '-')
                setOwnSubdomain(typed !== '')
                form.setFieldValue('subdomain', typed)
              }}
            />
            <AddressPreview subdomain={subdomain} state={form.errors.subdomain ? null : state} />
            {!isTaken && <FormFailure error={create.error} names={FIELDS} />}
            <Group justify="flex-end">
              <ButtonLink to="/" variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={create.isPending}>
                Make the space
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
