import { Button, Text } from '@mantine/core'
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { HistoryLink } from '../history/links.tsx'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SaveStatus } from '../ui/SaveStatus.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import type { RecordDraft } from './use-record-draft.ts'

interface RecordHeaderProps {
  draft: RecordDraft
  /** The title of the view; by default, the key. */
  title: string | undefined
  onSave: () => void
  onDelete: () => void
}

/** The record's key, version and save status, with buttons to save and delete it. */
export const RecordHeader = ({ draft, title, onSave, onDelete }: RecordHeaderProps) => {
  const { subdomain, name } = useSpace()
  const { base, theirs, save, isUnsaved } = draft
  if (!base)
    return (
      <ViewTitle title="New record" of={name} isSticky>
        <ButtonLink variant="default" to="/spaces/$subdomain/data" params={{ subdomain }}>
          Cancel
        </ButtonLink>
        <Button onClick={onSave} loading={save.isPending} aria-keyshortcuts="Control+S Meta+S">
          Create record
        </Button>
      </ViewTitle>
    )
  return (
    <ViewTitle
      title={title ?? base.key}
      of={name}
      isSticky
      text={
        <>
          Version {base.version}, saved <RelativeTime at={base.updated_at} />
        </>
      }
    >
      <SaveStatus isUnsaved={isUnsaved} />
      <HistoryLink subdomain={subdomain} kind="record" thing={base.key} />
      <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={onDelete}>
        Delete
      </Button>
      {!theirs && (
        <Button
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          onClick={onSave}
          loading={save.isPending}
          disabled={!isUnsaved}
          aria-keyshortcuts="Control+S Meta+S"
        >
          Save
        </Button>
      )}
    </ViewTitle>
  )
}

interface DeleteRecordProps {
  recordKey: string
  opened: boolean
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a record is deleted. */
export const DeleteRecord = ({ recordKey, opened, onClose, onDeleted }: DeleteRecordProps) => {
  const { subdomain } = useSpace()
  const onRemoved = () => {
    notifyDeleted({ subdomain, kind: 'record', thing: recordKey, title: `Record ${recordKey}` })
    onDeleted()
  }
  const remove = useMutation(
    api.data.delete.mutationOptions({
      onSuccess: onRemoved,
      // Someone else has already deleted the record, which is the intended result.
      onError: error => failureOf(error).code === 'data_not_found' && onRemoved(),
    }),
  )
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Delete ${recordKey}?`}
      action="Delete record"
      onConfirm={() => remove.mutate({ subdomain, key: recordKey })}
      mutation={remove}
    >
      <Text size="sm">
        Pages that use this record will show nothing in its place. You can restore it from the history.
      </Text>
    </Confirm>
  )
}
