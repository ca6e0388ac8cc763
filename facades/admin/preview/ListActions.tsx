import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { ExplainedError } from '../ui/failure.ts'
import { notifyFailure } from '../ui/notify.ts'
import { editList, type ListEdit, type ListItem } from './list-edits.ts'
import { ChangedMeanwhile, saveList } from './record-edits.tsx'
import { recordText } from './record-text.ts'
import type { PreviewDocument } from './use-preview.ts'

interface ListActionsProps {
  subdomain: string
  /** The document in which the item is selected. */
  document: PreviewDocument
  item: ListItem
  /** Called after each edit. */
  onEdited: (edit: ListEdit) => void
}

const CHANGED = new ExplainedError('This list has changed in the meantime', 'Reload the preview.')

const ICON_SIZE = 16

const ACTIONS = [
  { edit: 'up', label: 'Move item up', icon: <IconArrowUp size={ICON_SIZE} /> },
  { edit: 'down', label: 'Move item down', icon: <IconArrowDown size={ICON_SIZE} /> },
  { edit: 'add', label: 'Add a copy of this item', icon: <IconCopyPlus size={ICON_SIZE} /> },
  { edit: 'remove', label: 'Remove item', icon: <IconTrash size={ICON_SIZE} /> },
] as const

/** Moves, copies and removes an item of a list in a record, which is saved at once. */
export const ListActions = ({ subdomain, document, item: { list, index }, onEdited }: ListActionsProps) => {
  const [key, ...path] = list
  const { data, isFetching } = useQuery(api.data.get.queryOptions({ subdomain, key }))
  // The record as the document shows it. When it is read again, another item can have the index.
  const [shown, setShown] = useState<{ document: PreviewDocument; record: NonNullable<typeof data> } | null>(
    null,
  )
  const isOfRecord = shown?.record.key === key
  const isCurrent = isOfRecord && shown.document === document
  if (data && !isFetching && !isCurrent) setShown({ document, record: data })
  const items = isOfRecord ? valueAt(shown.record.value, path) : undefined
  const count = Array.isArray(items) ? items.length : 0
  // Until the preview shows the edited list, it is not known which item is selected.
  const [editedIn, setEditedIn] = useState<PreviewDocument | null>(null)
  const editing = useMutation({
    mutationFn: (edit: ListEdit) =>
      saveList(
        subdomain,
        list,
        found =>
          JSON.stringify(found[index]) === JSON.stringify((items as unknown[])[index])
            ? editList(found, edit, index)
            : undefined,
        () => onEdited(edit),
      ),
    onSuccess: () => setEditedIn(document),
    onError: error => notifyFailure(error instanceof ChangedMeanwhile ? CHANGED : error),
  })
  if (index >= count) return null
  return (
    <Group gap={2} wrap="nowrap" role="group" aria-label={`Item ${index + 1} of ${recordText(list)}`}>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Item {index + 1} of {count}
      </Text>
      {ACTIONS.map(({ edit, label, icon }) => {
        const isOff =
          !isCurrent ||
          editedIn === document ||
          editing.isPending ||
          editList(items as unknown[], edit, index) === undefined
        return (
          <Tooltip label={label} key={edit}>
            <ActionIcon
              size={24}
              variant="subtle"
              color="gray"
              aria-label={label}
              aria-disabled={isOff}
              data-disabled={isOff || undefined}
              onClick={() => !isOff && editing.mutate(edit)}
            >
              {icon}
            </ActionIcon>
          </Tooltip>
        )
      })}
    </Group>
  )
}
