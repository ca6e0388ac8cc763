import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const UNSAVED = { title: 'Leave without saving?', text: 'What you changed here has not been saved.' }

/**
 * Asks before unsaved changes are left behind: by a link, by the back button, by closing the tab.
 *
 * @param words what would be lost, where it is not unsaved changes
 * @returns the question, to be put into the view
 */
export const useLeaveGuard = (isUnsaved: boolean, words = UNSAVED): ReactNode => {
  const { status, proceed, reset } = useBlocker({
    // What a view keeps in its address, a search say, does not leave it.
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={words.title} centered>
      <Stack>
        <Text>{words.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            Leave
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
