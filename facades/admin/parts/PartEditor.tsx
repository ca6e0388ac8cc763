import { useDisclosure } from '@mantine/hooks'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, client, queries } from '../api.ts'
import { DraftNotices } from '../drafts/DraftNotices.tsx'
import { KeepDraftButton } from '../drafts/KeepDraftButton.tsx'
import { ShareDraft } from '../drafts/ShareDraft.tsx'
import type { Restored } from '../drafts/use-kept-draft.ts'
import { DeletedNotice, isDeletedError } from '../editor/DeletedNotice.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { type Stored, useTemplateDraft } from '../editor/use-template-draft.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { HistoryLink } from '../history/HistoryLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePart } from './DeletePart.tsx'
import { PartContent } from './PartContent.tsx'
import { RenamePart } from './RenamePart.tsx'
import { type PartValues, storedPart } from './stored-part.ts'
import { countUses, type Uses } from './UsedBy.tsx'

interface PartEditorProps {
  initial: Stored<PartValues>
  /** The unsaved changes that the editor starts with; null if there are none. */
  restored: Restored<PartValues> | null
  /** Identifies the draft until the first save. */
  newId: string
  /** Called with the id after the first save of a new part. */
  onCreated: (id: string) => void
}

const idOf = ({ id }: { id: string }) => id

/** Edits a new or existing part: its title bar with the save button, and below it the name, body and preview. */
export const PartEditor = ({ initial, restored, newId, onCreated }: PartEditorProps) => {
  const { subdomain, name } = useSpace()
  const [isAsking, { open, close }] = useDisclosure()
  // The pages and parts in which the next save also updates the part's name; null if the save changes only the part.
  const updated = useRef<Uses | null>(null)
  const draft = useTemplateDraft<PartValues>({
    stored: initial,
    restored,
    place: { subdomain, kind: 'part', newId },
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const created = await client.parts.create.mutate({ subdomain, ...fields })
        return { saved: true, stored: storedPart({ ...created, html: fields.html }) }
      }
      const uses = updated.current
      const result = await client.templates.savePart.mutate({
        subdomain,
        part_id: id,
        ...fields,
        base: updated_at ?? '',
        ...(uses && { uses: { pages: uses.pages.map(idOf), parts: uses.parts.map(idOf) } }),
      })
      if (!result.saved) return { saved: false, theirs: storedPart(result.theirs) }
      if (uses) notifySuccess(`${countUses(uses)} updated`)
      return { saved: true, stored: storedPart({ ...result.part, html: fields.html }) }
    },
    onSaved: () => {
      if (updated.current) void queries.invalidateQueries(api.pages.pathFilter())
      void queries.invalidateQueries(api.parts.pathFilter())
    },
    onCreated,
  })
  const { base, fields, saving } = draft
  const {
    data: part,
    error,
    isFetching,
  } = useQuery(api.parts.get.queryOptions(base.id === null ? skipToken : { subdomain, part_id: base.id }))
  const users = part && countUses(part.used_by)
  const save = () => {
    updated.current = null
    if (fields.name.trim() === base.fields.name || !users) return draft.save()
    // Pages that use this part may have changed since the view was opened.
    void queries.invalidateQueries(api.parts.get.pathFilter())
    open()
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
        <RenamePart
          part={part}
          name={fields.name.trim()}
          opened={isAsking}
          isLoading={isFetching}
          onClose={close}
          onRename={isEverywhere => {
            close()
            updated.current = isEverywhere ? part.used_by : null
            draft.save()
          }}
        />
      )}
    </>
  )
}
