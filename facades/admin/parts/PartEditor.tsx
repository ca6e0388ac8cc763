import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { api, client, queries } from '../api.ts'
import { DraftNotices } from '../drafts/DraftNotices.tsx'
import { KeepDraftButton } from '../drafts/KeepDraftButton.tsx'
import { ShareDraft } from '../drafts/ShareDraft.tsx'
import type { Restored } from '../drafts/use-kept-draft.ts'
import { DeletedNotice, isDeletedError } from '../editor/DeletedNotice.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { type Stored, useTemplateDraft } from '../editor/use-template-draft.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { HistoryLink } from '../history/HistoryLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePart } from './DeletePart.tsx'
import { PartContent } from './PartContent.tsx'
import { type PartValues, storedPart } from './stored-part.ts'
import { BrokenUses, countUses } from './UsedBy.tsx'

interface PartEditorProps {
  initial: Stored<PartValues>
  /** Unsaved changes to continue. */
  restored: Restored<PartValues> | null
  /** Identifies the draft until the first save. */
  newId: string
  /** Called with the id after the first save of a new part. */
  onCreated: (id: string) => void
}

/** Edits a new or existing part: its title bar with the save button, and below it the name, body and preview. */
export const PartEditor = ({ initial, restored, newId, onCreated }: PartEditorProps) => {
  const { subdomain, name } = useSpace()
  const [isAsking, { open, close }] = useDisclosure()
  const draft = useTemplateDraft<PartValues>({
    stored: initial,
    restored,
    place: { subdomain, kind: 'part', newId },
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const created = await client.parts.create.mutate({ subdomain, ...fields })
        return { saved: true, stored: storedPart({ ...created, html: fields.html }) }
      }
      const input = { subdomain, part_id: id, ...fields, base: updated_at ?? '' }
      const result = await client.templates.savePart.mutate(input)
      return result.saved
        ? { saved: true, stored: storedPart({ ...result.part, html: fields.html }) }
        : { saved: false, theirs: storedPart(result.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.parts.pathFilter()),
    onCreated,
  })
  const { base, fields, saving } = draft
  const { data: part, error } = useQuery(
    api.parts.get.queryOptions(base.id === null ? skipToken : { subdomain, part_id: base.id }),
  )
  const users = part && countUses(part.used_by)
  const isOneUser = part && part.used_by.pages.length + part.used_by.parts.length === 1
  const save = () => {
    if (fields.name.trim() !== base.fields.name && users) open()
    else draft.save()
  }
  return (
    <>
      <ViewTitle title={base.id === null ? 'New part' : base.fields.name} of={name} isSticky>
        {base.id === null && draft.isUnsaved && (
          <KeepDraftButton kept={draft.kept} list="/spaces/$subdomain/parts" />
        )}
        <SaveButton
          createLabel={base.id === null ? 'Create part' : undefined}
          isUnsaved={draft.isUnsaved}
          isSaving={saving.isPending}
          isDisabled={draft.theirs !== null}
          onSave={save}
        />
        {draft.isUnsaved && <ShareDraft place={draft.place} flush={draft.kept.flush} />}
        {part && <HistoryLink subdomain={subdomain} kind="part" thing={part.id} />}
        {part && <DeletePart part={part} />}
      </ViewTitle>
      {base.id !== null && (isDeletedError(error) || isDeletedError(saving.error)) && (
        <DeletedNotice what="part" onSaveAsNew={draft.saveAsNew} />
      )}
      <DraftNotices
        place={draft.place}
        restoredAt={draft.restoredAt}
        kept={draft.kept}
        onDiscard={() => draft.discard(part && storedPart(part))}
      />
      <PartContent draft={draft} onSave={save} newest={part && storedPart(part)} uses={part?.used_by} />
      {part && (
        <Confirm
          opened={isAsking}
          onClose={close}
          title={`Rename ${base.fields.name} to ${fields.name.trim()}?`}
          action="Rename part"
          onConfirm={() => {
            close()
            draft.save()
          }}
        >
          <Text size="sm">
            {isOneUser
              ? `${users} still uses the old name and will show an error until you update it:`
              : `${users} still use the old name and will show an error until you update them:`}
          </Text>
          <BrokenUses uses={part.used_by} />
        </Confirm>
      )}
    </>
  )
}
