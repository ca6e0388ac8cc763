import { Anchor, Group } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, queries } from '../api.ts'
import { DraftNotices } from '../drafts/DraftNotices.tsx'
import { KeepDraftButton } from '../drafts/KeepDraftButton.tsx'
import { ShareDraft } from '../drafts/ShareDraft.tsx'
import type { Restored } from '../drafts/use-kept-draft.ts'
import { DeletedNotice, isDeletedError } from '../editor/DeletedNotice.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { type Stored, useTemplateDraft } from '../editor/use-template-draft.ts'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { HistoryLink } from '../history/HistoryLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePage } from './DeletePage.tsx'
import { visitorUrl } from './home-page.ts'
import { LiveNotice } from './LiveNotice.tsx'
import { PageContent } from './PageContent.tsx'
import { StartFrom } from './StartFrom.tsx'
import { type PageValues, storedPage } from './stored-page.ts'

interface PageEditorProps {
  initial: Stored<PageValues>
  /** The unsaved changes that the editor starts with; null if there are none. */
  restored: Restored<PageValues> | null
  /** Identifies the draft until the first save. */
  newId: string
  /** Called with the id after the first save of a new page. */
  onCreated: (id: string) => void
}

/** Edits a new or existing page: its title bar with the save button, and below it the fields, body and preview. */
export const PageEditor = ({ initial, restored, newId, onCreated }: PageEditorProps) => {
  const { subdomain, name, url } = useSpace()
  // The address of a page that this editor has just created.
  const [liveUrl, setLiveUrl] = useState<string | null>(null)
  const draft = useTemplateDraft<PageValues>({
    stored: initial,
    restored,
    place: { subdomain, kind: 'page', newId },
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const created = await client.pages.create.mutate({ subdomain, ...fields })
        const page = { ...created, html: fields.html }
        queries.setQueryData(api.pages.get.queryKey({ subdomain, page_id: page.id }), page)
        setLiveUrl(visitorUrl(url, page))
        return { saved: true, stored: storedPage(page) }
      }
      const input = { subdomain, page_id: id, ...fields, base: updated_at ?? '' }
      const result = await client.templates.savePage.mutate(input)
      return result.saved
        ? { saved: true, stored: storedPage({ ...result.page, html: fields.html }) }
        : { saved: false, theirs: storedPage(result.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.pages.pathFilter()),
    onCreated,
  })
  const { base, saving } = draft
  const { data: page, error } = useQuery(
    api.pages.get.queryOptions(base.id === null ? skipToken : { subdomain, page_id: base.id }),
  )
  const address = page && visitorUrl(url, page)
  return (
    <>
      <ViewTitle
        title={base.id === null ? 'New page' : base.fields.slug}
        of={name}
        isSticky
        text={
          address && (
            <Group component="span" gap="xs">
              <Anchor href={address} target="_blank" rel="noopener" size="sm">
                {address.replace(/^https?:\/\//, '')}
              </Anchor>
              <CopyButton value={address} what="address" />
            </Group>
          )
        }
      >
        {base.id === null && draft.isUnsaved && (
          <KeepDraftButton kept={draft.kept} list="/spaces/$subdomain/pages" />
        )}
        <SaveButton
          createLabel={base.id === null ? 'Create page' : undefined}
          isUnsaved={draft.isUnsaved}
          isSaving={saving.isPending}
          isDisabled={draft.theirs !== null}
          onSave={draft.save}
        />
        {draft.isUnsaved && <ShareDraft place={draft.place} flush={draft.kept.flush} />}
        {page && <HistoryLink subdomain={subdomain} kind="page" thing={page.id} />}
        {page && <DeletePage page={page} />}
      </ViewTitle>
      {base.id !== null && (isDeletedError(error) || isDeletedError(saving.error)) && (
        <DeletedNotice what="page" onSaveAsNew={draft.saveAsNew} />
      )}
      {liveUrl !== null && <LiveNotice url={liveUrl} onClose={() => setLiveUrl(null)} />}
      {base.id === null && (
        <StartFrom subdomain={subdomain} isTyped={draft.isTyped} onChoose={draft.replace} />
      )}
      <DraftNotices
        place={draft.place}
        restoredAt={draft.restoredAt}
        kept={draft.kept}
        onDiscard={() => draft.discard(page && storedPage(page))}
      />
      <PageContent draft={draft} newest={page && storedPage(page)} savedUrl={address} />
    </>
  )
}
