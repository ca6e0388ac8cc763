import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { limits, type Starter } from '../../../routers/api/rules.ts'
import { api, queries } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { showErrors } from '../feedback/form-errors.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { firstField } from '../shell/first-field.ts'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { AddressPreview } from './AddressPreview.tsx'
import { StarterField } from './StarterField.tsx'
import { EMPTY } from './starters.ts'
import { suggestSubdomain } from './suggest-subdomain.ts'
import { useSubdomainState } from './use-subdomain-state.ts'

const FIELDS = ['name', 'subdomain'] as const

/** Creates a space and opens it. */
export const NewSpace = () => {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '', subdomain: '', starter: 'blog' } })
  const [isSubdomainEdited, setSubdomainEdited] = useState(false)
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
        form.setFieldError('subdomain', 'This address is taken. Choose another one.')
        form.getInputNode('subdomain')?.focus()
      },
    }),
  )
  const isTaken = create.error !== null && failureOf(create.error).code === 'subdomain_taken'
  const submit = ({ starter, ...names }: typeof form.values) =>
    create.mutate(starter === EMPTY ? names : { ...names, starter: starter as Starter })
  return (
    <Stack maw="52rem" gap={0}>
      <ViewTitle
        title="New space"
        text="A space is one website: its pages, parts, data and files, and the people who run it."
      />
      <Paper withBorder radius="lg" p={{ base: 'md', sm: 'lg' }}>
        <form onSubmit={form.onSubmit(submit)} noValidate>
          <Stack>
            <TextInput
              label="Name"
              description="Shown to visitors. You can change it at any time."
              placeholder="The Garden Club"
              maxLength={limits.spaceName}
              required
              withAsterisk={false}
              autoComplete="off"
              {...firstField}
              {...form.getInputProps('name')}
              onChange={event => {
                const typed = event.currentTarget.value
                form.setFieldValue('name', typed)
                if (!isSubdomainEdited) form.setFieldValue('subdomain', suggestSubdomain(typed))
              }}
            />
            <TextInput
              label="Subdomain"
              description="The first part of your site’s address. You can’t change this later."
              required
              withAsterisk={false}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...form.getInputProps('subdomain')}
              onChange={event => {
                const typed = event.currentTarget.value.toLowerCase().replace(/\s/g, '-')
                setSubdomainEdited(typed !== '')
                form.setFieldValue('subdomain', typed)
              }}
            />
            <AddressPreview subdomain={subdomain} state={form.errors.subdomain ? null : state} />
            <StarterField
              value={form.values.starter}
              onChange={starter => form.setFieldValue('starter', starter)}
              onEnter={form.onSubmit(submit)}
            />
            {!isTaken && <FormFailure error={create.error} names={FIELDS} />}
            <Group justify="flex-end">
              <ButtonLink to="/" variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={create.isPending}>
                Create space
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
