import { Checkbox, Group, List, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { notifyDeleted, notifyManyDeleted } from '../history/notify-deleted.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { counted } from '../ui/numbers.ts'
import { DangerButton } from '../ui/Section.tsx'
import { useSpace } from '../use-space.ts'
import type { Selection } from './use-selection.ts'

/** An item that can be selected: its id, or the key of a record, and its name. */
export interface NamedItem {
  id: string
  name: string
}

interface SelectedItemsProps {
  kind: 'page' | 'record' | 'file'
  selection: Pick<Selection<NamedItem>, 'selected' | 'total' | 'selectAll'>
  /** Deletes an item. */
  remove: (id: string) => Promise<unknown>
  /** The code of the error that the item does not exist. */
  missing: string
  /** Reads the list again. */
  refresh: () => Promise<unknown>
  /** What the deletion breaks. */
  consequence: string
  onDeleted: () => void
  /** Further actions on the selected items. */
  children?: ReactNode
}

/** Number of names that the dialog lists. */
const LISTED = 5

const TITLES = { page: 'Page', record: 'Record', file: 'File' }

/** Selects all items of a list, and deletes the selected ones, after a confirmation and with one undo. */
export const SelectedItems = ({
  kind,
  selection: { selected, total, selectAll },
  remove,
  missing,
  refresh,
  consequence,
  onDeleted,
  children,
}: SelectedItemsProps) => {
  const { subdomain } = useSpace()
  /** The items to delete. The list gets shorter while they are being deleted. */
  const [asked, setAsked] = useState<readonly NamedItem[]>([])
  const [isAsking, setIsAsking] = useState(false)
  /** The items deleted since the last notification. If a deletion fails, the items before it stay deleted. */
  const deleted = useRef<NamedItem[]>([])
  const count = counted(selected.length, kind)
  const askedCount = counted(asked.length, kind)
  const notify = () => {
    const items = deleted.current
    deleted.current = []
    const [first] = items
    if (items.length > 1)
      notifyManyDeleted(
        subdomain,
        kind,
        items.map(({ id }) => id),
      )
    else if (first)
      notifyDeleted({ subdomain, kind, thing: first.id, title: `${TITLES[kind]} ${shownText(first.name)}` })
  }
  const deletion = useMutation({
    mutationFn: async (items: readonly NamedItem[]) => {
      for (const item of items)
        try {
          await remove(item.id)
          deleted.current.push(item)
        } catch (error) {
          // Continue if someone else has already deleted the item.
          if (failureOf(error).code !== missing) throw error
        }
    },
    onSuccess: async () => {
      await refresh()
      setIsAsking(false)
      onDeleted()
      notify()
    },
  })
  return (
    <Group mb="xs" gap="md" mih={36} pl="md">
      <Checkbox
        label={selected.length === 0 ? 'Select all' : `${count} selected`}
        checked={selected.length === total}
        indeterminate={selected.length > 0 && selected.length < total}
        onChange={() => selectAll(selected.length < total)}
      />
      {children}
      {selected.length > 0 && (
        <DangerButton
          label={`Delete ${count}`}
          icon={<IconTrash size={16} aria-hidden />}
          onClick={() => {
            setAsked(selected)
            setIsAsking(true)
          }}
        />
      )}
      <Confirm
        opened={isAsking}
        onClose={() => {
          if (deletion.isError) {
            void refresh()
            notify()
          }
          setIsAsking(false)
        }}
        title={`Delete ${askedCount}?`}
        action={`Delete ${askedCount}`}
        onConfirm={() => deletion.mutate(asked)}
        mutation={deletion}
      >
        <List size="sm" mb="sm">
          {asked.slice(0, LISTED).map(({ id, name }) => (
            <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
              {shownText(name)}
            </List.Item>
          ))}
          {asked.length > LISTED && <List.Item>and {asked.length - LISTED} more</List.Item>}
        </List>
        <Text size="sm">{consequence} You can restore them from the history.</Text>
      </Confirm>
    </Group>
  )
}
