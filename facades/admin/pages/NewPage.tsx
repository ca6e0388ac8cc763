import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, client, queries } from '../api.ts'
import { SaveButton } from '../editor/SaveButton.tsx'
import { useEditing } from '../editor/use-editing.ts'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { BLANK, EXAMPLES } from './examples.ts'
import { PageEditor } from './PageEditor.tsx'
import { type PageFieldsOf, storedPage } from './stored-page.ts'

/** Writes a page that is not there yet. With the first save it has its address, and this view becomes its own. */
export const NewPage = () => {
  const { subdomain, name } = useSpace()
  const { example } = useSearch({ from: '/inside/spaces/$subdomain/new-page' })
  const navigate = useNavigate()
  const { slug, kind, html } = (example !== undefined && EXAMPLES[example]) || BLANK
  const editing = useEditing<PageFieldsOf>({
    stored: { fields: { slug, kind, html }, updated_at: null },
    save: async fields => {
      const page = await client.pages.create.mutate({ subdomain, ...fields })
      const whole = { ...page, html: fields.html }
      queries.setQueryData(api.pages.get.queryKey({ subdomain, page_id: page.id }), whole)
      await navigate({
        to: '/spaces/$subdomain/pages/$pageId',
        params: { subdomain, pageId: page.id },
        replace: true,
        ignoreBlocker: true,
      })
      return { saved: true, stored: storedPage(whole) }
    },
    onSaved: () => void queries.invalidateQueries(api.pages.list.pathFilter()),
  })
  return (
    <>
      <ViewTitle title="New page" of={name}>
        <SaveButton
          isNew
          isUnsaved={editing.isUnsaved}
          isSaving={editing.saving.isPending}
          onSave={editing.save}
        />
      </ViewTitle>
      <PageEditor editing={editing} />
    </>
  )
}
