import { Anchor, Group } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { api, client, queries } from '../api.ts'
import { Gone, isGone } from '../editor/Gone.tsx'
import { SaveButton } from '../editor/SaveButton.tsx'
import { type Stored, useEditing } from '../editor/use-editing.ts'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePage } from './DeletePage.tsx'
import { PageEditor } from './PageEditor.tsx'
import { type PageFieldsOf, storedPage } from './stored-page.ts'

interface OpenPageProps {
  initial: Stored<PageFieldsOf>
  /** Called with the id of a new page once it is stored. */
  onCreated: (id: string) => void
}

/** A page being written, new or not. */
export const OpenPage = ({ initial, onCreated }: OpenPageProps) => {
  const { subdomain, name } = useSpace()
  const editing = useEditing<PageFieldsOf>({
    stored: initial,
    save: async (fields, { id, updated_at }) => {
      if (id === null) {
        const made = await client.pages.create.mutate({ subdomain, ...fields })
        const page = { ...made, html: fields.html }
        queries.setQueryData(api.pages.get.queryKey({ subdomain, page_id: page.id }), page)
        return { saved: true, stored: storedPage(page) }
      }
      const input = { subdomain, page_id: id, ...fields, base: updated_at ?? '' }
      const answer = await client.templates.savePage.mutate(input)
      return answer.saved
        ? { saved: true, stored: storedPage({ ...answer.page, html: fields.html }) }
        : { saved: false, theirs: storedPage(answer.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.pages.pathFilter()),
    onCreated,
  })
  const { base, saving } = editing
  const { data: page, error } = useQuery(
    api.pages.get.queryOptions(base.id === null ? skipToken : { subdomain, page_id: base.id }),
  )
  return (
    <>
      <ViewTitle
        title={base.id === null ? 'New page' : base.fields.slug}
        of={name}
        text={
          page && (
            <Group component="span" gap="xs">
              <Anchor href={page.url} target="_blank" rel="noopener" size="sm">
                {page.url.replace(/^https?:\/\//, '')}
              </Anchor>
              <CopyButton value={page.url} what="address" />
            </Group>
          )
        }
      >
        <SaveButton
          isNew={base.id === null}
          isUnsaved={editing.isUnsaved}
          isSaving={saving.isPending}
          isDisabled={editing.theirs !== null}
          onSave={editing.save}
        />
        {page && <DeletePage subdomain={subdomain} page={page} />}
      </ViewTitle>
      {base.id !== null && (isGone(error) || isGone(saving.error)) && (
        <Gone what="page" onKeep={editing.saveAnew} />
      )}
      <PageEditor editing={editing} newest={page && storedPage(page)} savedUrl={page?.url} />
    </>
  )
}
