import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { limits, type Starter } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { useFormMutation } from '../feedback/use-form-mutation.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { firstField } from '../shell/first-field.ts'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { AddressPreview } from './AddressPreview.tsx'
import { StarterField } from './StarterField.tsx'
import { EMPTY } from './starters.ts'
import { suggestSubdomain } from './suggest-subdomain.ts'
import { useSubdomainState } from './use-subdomain-state.ts'

/** Creates a space and opens it. */
export const NewSpace = () => {
  const navigate = useNavigate()
  const [isSubdomainEdited, setSubdomainEdited] = useState(false)
  const { form, mutation, props, failure } = useFormMutation(
    {
      initialValues: { name: '', subdomain: '', starter: 'blog' },
      fields: ['name', 'subdomain'],
      codes: {
        subdomain_taken: { field: 'subdomain', message: 'This address is taken. Choose another one.' },
      },
    },
    api.spaces.create.mutationOptions({
      onSuccess: async space => {
        await navigate({ to: '/spaces/$subdomain', params: { subdomain: space.subdomain } })
      },
    }),
  )
  const { subdomain } = form.values
  const state = useSubdomainState(subdomain)
  const submission = props(({ starter, ...names }) =>
    starter === EMPTY ? names : { ...names, starter: starter as Starter },
  )
  return (
    <Stack maw="52rem" gap={0}>
      <ViewTitle
        title="New space"
        text="A space is one website: its pages, parts, data and files, and the people who run it."
      />
      <Paper withBorder radius="lg" p={{ base: 'md', sm: 'lg' }}>
        <form {...submission}>
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
              onEnter={submission.onSubmit}
            />
            {failure}
            <Group justify="flex-end">
              <ButtonLink to="/" variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={mutation.isPending}>
                Create space
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
