import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { guardLeaving } from './leave-guard.ts'

interface LeaveTexts {
  title: string
  text: string
  /** Whether everything is kept when the tab is closed. If so, the browser does not ask for confirmation. */
  isKept?: true
}

const UNSAVED: LeaveTexts = {
  title: 'Leave without saving?',
  text: 'You have unsaved changes. They will be lost.',
}

/** For editors whose drafts are kept. */
export const KEPT: LeaveTexts = {
  title: 'Leave without saving?',
  text: 'Your changes are not saved yet. They are kept as a draft until you save or discard them.',
  isKept: true,
}

/**
 * Asks for confirmation before the person leaves unsaved changes by following a link, going back or closing the tab.
 * @param texts texts of the dialog, if something other than unsaved changes would be lost
 * @returns the dialog, to be rendered by the view
 */
export const useLeaveGuard = (isUnsaved: boolean, texts = UNSAVED): ReactNode => {
  useEffect(() => {
    if (isUnsaved) return guardLeaving()
  }, [isUnsaved])
  const { status, proceed, reset } = useBlocker({
    // Do not ask if only search parameters change, because the view stays open.
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved && !texts.isKept,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={texts.title} centered>
      <Stack>
        <Text>{texts.text}</Text>
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
