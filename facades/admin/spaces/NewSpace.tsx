import { Box, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { limits, type Starter } from '../../../routers/api/rules.ts'
import { api, queryClient } from '../api.ts'
import { rememberEditorView } from '../editor/editor-view.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { firstField } from '../ui/first-field.ts'
import { slugOf } from '../ui/slug.ts'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import classes from './NewSpace.module.css'
import { StarterField } from './StarterField.tsx'
import { EMPTY } from './starters.ts'

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
      onSuccess: async ({ subdomain }, { starter }) => {
        // A starter opens where its texts and pictures can be changed at once.
        const pageId = starter ? await homePageId(subdomain) : null
        if (pageId === null) return navigate({ to: '/spaces/$subdomain', params: { subdomain } })
        rememberEditorView(subdomain, 'page')
        return navigate({
          to: '/spaces/$subdomain/pages/$pageId',
          params: { subdomain, pageId },
          state: { isNewSpace: true },
        })
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
              required
              withAsterisk={false}
              autoComplete="off"
              {...firstField}
              {...form.getInputProps('name')}
              onChange={event => {
                const typed = event.currentTarget.value
                form.setFieldValue('name', typed)
                if (!isSubdomainEdited) form.setFieldValue('subdomain', slugOf(typed, MAX_LENGTH))
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
            <Group justify="flex-end" className={classes.actions}>
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

/** The id of the home page of a space; null if there is none, or if it can't be read now. */
const homePageId = (subdomain: string) =>
  queryClient
    .query(api.spaces.overview.queryOptions({ subdomain }))
    .then(({ usage }) => usage.home_page_id)
    .catch(() => null)

const MESSAGES: Record<NonNullable<SubdomainState>, string> = {
  free: 'This address is available.',
  taken: 'This address is taken. Choose another one.',
  reserved: 'This address is reserved. Choose another one.',
  malformed: 'Use 3 to 30 lowercase letters, digits and hyphens, without a hyphen at the start or end.',
}

/** Shows the address of the new space while it is typed, and whether it is available. */
export const AddressPreview = ({ subdomain, state }: { subdomain: string; state: SubdomainState }) => {
  const naming = useQuery({ ...api.spaces.naming.queryOptions(), staleTime: Number.POSITIVE_INFINITY })
  const isBad = state !== null && state !== 'free'
  return (
    <Box className={classes.box}>
      <Text size="sm" c="dimmed">
        Your site’s address
      </Text>
      <Text ff="monospace" size="sm" className={classes.address}>
        {naming.data?.before}
        <b>{subdomain || '…'}</b>
        {naming.data?.behind}
      </Text>
      <Text size="sm" role="status" mih="1.55em" c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
        {state !== null && MESSAGES[state]}
      </Text>
    </Box>
  )
}

/** Maximum length of a subdomain, as in `limits.subdomain`. */
const MAX_LENGTH = 30

/** How long to wait after the last keystroke before checking, in ms. */
const DEBOUNCE = 300
const PATTERN = new RegExp(limits.subdomain)

/** Whether a subdomain is available; null while that is unknown. */
export type SubdomainState = 'free' | 'taken' | 'reserved' | 'malformed' | null

/** Checks whether the typed subdomain is available. */
export const useSubdomainState = (typed: string): SubdomainState => {
  const [debounced] = useDebouncedValue(typed, DEBOUNCE)
  const isWellFormed = PATTERN.test(debounced)
  const { data } = useQuery({
    ...api.spaces.consider.queryOptions({ subdomain: debounced }),
    enabled: isWellFormed,
    // Never reuse an old result: the subdomain may be taken by now.
    gcTime: 0,
    retry: false,
  })
  if (debounced !== typed || debounced === '') return null
  return isWellFormed ? (data ?? null) : 'malformed'
}
