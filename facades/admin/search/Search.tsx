import { Button, Group, Kbd, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { useActions } from './actions.tsx'
import { type Choice, ChoiceField, type ChoiceGroup } from './ChoiceField.tsx'
import classes from './search.module.css'
import { useResults } from './use-results.tsx'

interface SearchProps {
  /** The open space. */
  subdomain: string | undefined
  onClose: () => void
  showShortcuts: () => void
}

/** The search dialog: finds spaces, items and posts, and offers actions. */
export const Search = ({ subdomain, onClose, showShortcuts }: SearchProps) => {
  useFocusReturn()
  const [text, setText] = useState('')
  const typed = text.trim()
  const results = useResults(typed, subdomain)
  const actions = matching(useActions(subdomain, showShortcuts), typed)
  const groups = inOrder(results.groups, actions, typed).map(({ label, choices }) => ({
    label,
    choices: choices.map(choice => ({
      ...choice,
      choose: () => {
        onClose()
        choice.choose()
      },
    })),
  }))
  const isEmpty = groups.length === 0 && !results.isBusy && results.error === null
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="lg"
      yOffset="10dvh"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search" className={classes.dialog ?? ''}>
        <ChoiceField
          label="Search"
          placeholder={
            subdomain === undefined ? 'Search spaces, posts and actions' : `Search ${subdomain} and more`
          }
          text={text}
          onText={setText}
          groups={groups}
          isBusy={results.isBusy}
          onClose={onClose}
        >
          {isEmpty && <Text className={classes.note}>Nothing matches “{typed}”.</Text>}
          {results.error !== null && (
            <div className={classes.note}>
              <FormFailure error={results.error} />
              <Button variant="default" mt="xs" onClick={results.retry}>
                Try again
              </Button>
            </div>
          )}
          <Group className={classes.keys} gap="md" visibleFrom="xs" aria-hidden>
            <Text size="xs" c="dimmed">
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to choose
            </Text>
            <Text size="xs" c="dimmed">
              <Kbd size="xs">Enter</Kbd> to open
            </Text>
            <Text size="xs" c="dimmed">
              <Kbd size="xs">Esc</Kbd> to close
            </Text>
          </Group>
        </ChoiceField>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Returns the actions whose titles contain all words of the text. */
const matching = (actions: Choice[], text: string) => {
  const words = text.toLowerCase().split(/\s+/)
  return actions.filter(({ title }) => words.every(word => title.toLowerCase().includes(word)))
}

/** Returns first the actions whose titles start with the text, then the found items, then the other actions. */
const inOrder = (found: ChoiceGroup[], actions: Choice[], text: string): ChoiceGroup[] => {
  const isFirst = ({ title }: Choice) => text !== '' && title.toLowerCase().startsWith(text.toLowerCase())
  const groups = [
    { label: 'Actions', choices: actions.filter(isFirst) },
    ...found,
    { label: text === '' ? 'Actions' : 'More actions', choices: actions.filter(action => !isFirst(action)) },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}
