import { Button, Text } from '@mantine/core'
import { IconCheck, IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { ChoiceField } from './ChoiceField.tsx'
import classes from './search.module.css'
import { useFoundSpaces } from './use-results.tsx'

const size = 18

interface SpaceChoiceProps {
  /** The open space. */
  subdomain: string | undefined
  onClose: () => void
}

/** The content of the space switcher: the person's spaces, last used first, and "New space". */
export const SpaceChoice = ({ subdomain, onClose }: SpaceChoiceProps) => {
  useFocusReturn()
  const [text, setText] = useState('')
  const typed = text.trim()
  const navigate = useNavigate()
  const { query, isBusy } = useFoundSpaces(typed)
  const spaces = (query.data?.spaces ?? []).map(space => ({
    id: space.subdomain,
    title: space.name,
    text: space.subdomain === subdomain ? 'Open now' : space.subdomain,
    icon:
      space.subdomain === subdomain ? (
        <IconCheck size={size} aria-hidden />
      ) : (
        <IconLayoutGrid size={size} aria-hidden />
      ),
    choose: () => {
      onClose()
      void navigate({ to: '/spaces/$subdomain', params: { subdomain: space.subdomain } })
    },
  }))
  const go = (title: string, icon: React.ReactNode, to: '/' | '/new-space') => ({
    // The slash makes it different from the ids of the spaces above, which are subdomains.
    id: `to${to}`,
    title,
    icon,
    choose: () => {
      onClose()
      void navigate({ to })
    },
  })
  const groups = [
    { label: 'Spaces', choices: spaces },
    {
      label: 'More',
      choices: [
        go('New space', <IconPlus size={size} aria-hidden />, '/new-space'),
        go('All spaces', <IconLayoutGrid size={size} aria-hidden />, '/'),
      ],
    },
  ].filter(({ choices }) => choices.length > 0)
  return (
    <ChoiceField
      label="Find a space"
      placeholder="Find a space"
      text={text}
      onText={setText}
      groups={groups}
      isBusy={isBusy}
      onClose={onClose}
    >
      {query.data?.has_more && (
        <Text size="xs" c="dimmed" className={classes.note}>
          There are more spaces. Type part of a name or subdomain.
        </Text>
      )}
      {spaces.length === 0 && typed !== '' && !isBusy && !query.isError && (
        <Text className={classes.note}>No space matches “{typed}”.</Text>
      )}
      {query.isError && (
        <div className={classes.note}>
          <FormFailure error={query.error} />
          <Button variant="default" mt="xs" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      )}
    </ChoiceField>
  )
}
