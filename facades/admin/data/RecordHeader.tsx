import { Button } from '@mantine/core'
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { SaveStatus } from '../feedback/SaveStatus.tsx'
import { HistoryLink } from '../history/HistoryLink.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import type { RecordDraft } from './use-record-draft.ts'

interface RecordHeaderProps {
  draft: RecordDraft
  onSave: () => void
  onDelete: () => void
}

/** The record's key, version and save status, with buttons to save and delete it. */
export const RecordHeader = ({ draft, onSave, onDelete }: RecordHeaderProps) => {
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
      title={base.key}
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
