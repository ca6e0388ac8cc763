import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { queryClient } from '../api.ts'
import { type Failure, failureOf } from './failure.ts'

/** How long the notification offers to undo a deletion, in ms. */
const OFFERED = 10_000

/** How long the notification says that the item is back, in ms. */
const DONE = 4000

/** Ids of the notifications of deletions. */
const shown = new Set<string>()

interface Deletion {
  /** What was deleted, such as "Page about-us". */
  title: string
  /** What happened to the item, such as "removed"; "deleted" by default. */
  verb?: string | undefined
  /** Whether the title names several items. */
  isPlural?: boolean
  /** Restores the item. Returns false if there was nothing to restore because the item already exists again. */
  undo: () => Promise<boolean>
  /** Says why the restore failed; by default, the reason that the service gave. */
  explain?: (failure: Failure) => string | null
  /** Returns a link to the view where the item can be restored later. Called when the notification needs the link. */
  link: () => ReactNode
}

/** Failures that can be temporary, so that the notification offers to try again. */
const TEMPORARY: ReadonlySet<Failure['kind']> = new Set(['unreachable', 'signed-out', 'busy', 'fault'])

const reasonOf = ({ kind, title, detail, fields }: Failure) =>
  kind === 'unreachable'
    ? `${title}.`
    : [`${title}.`, detail, ...fields.map(({ message }) => message)].filter(Boolean).join(' ')

const Message = ({ text, children }: { text: string; children?: ReactNode }) => (
  <Group justify="space-between" gap="sm">
    <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 10rem' }}>
      {text}
    </Text>
    <Group gap="sm">{children}</Group>
  </Group>
)

/**
 * Shows a notification of a deletion, and offers to undo the deletion for ten seconds. If the undo fails, the
 * notification says why, links to the view where the item can be restored, and stays until it is closed.
 */
export const offerUndo = ({ title, verb = 'deleted', isPlural, undo, explain, link }: Deletion): void => {
  const undoButton = (label: string) => (
    <Button size="compact-sm" variant="light" onClick={() => void undoNow()}>
      {label}
    </Button>
  )
  const undoNow = async () => {
    const update = (notice: NotificationData) =>
      notifications.update({ id, title: undefined, color: 'leaf', loading: false, ...notice })
    update({ loading: true, autoClose: false, message: <Message text={`Restoring ${title}…`} /> })
    try {
      const isRestored = await undo()
      void queryClient.invalidateQueries()
      if (isRestored) update({ message: `${title} ${isPlural ? 'are' : 'is'} back`, autoClose: DONE })
      else {
        const text = `${title} ${isPlural ? 'exist' : 'exists'} again`
        update({ message: <Message text={text}>{link()}</Message>, autoClose: false })
      }
    } catch (error) {
      const failure = failureOf(error)
      update({
        color: 'red',
        title: `${title} could not be restored`,
        autoClose: false,
        message: (
          <Message text={explain?.(failure) ?? reasonOf(failure)}>
            {link()}
            {TEMPORARY.has(failure.kind) && undoButton('Try again')}
          </Message>
        ),
      })
    }
  }
  const id = notifications.show({
    color: 'leaf',
    autoClose: OFFERED,
    onClose: () => shown.delete(id),
    message: <Message text={`${title} ${verb}`}>{undoButton('Undo')}</Message>,
  })
  shown.add(id)
}

/** Closes the notifications of deletions when the person signs out. */
export const withdrawUndo = (): void => {
  for (const id of shown) notifications.hide(id)
}
