import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, client, type Outputs, queries } from '../api.ts'
import { SaveButton } from '../editor/SaveButton.tsx'
import { useEditing } from '../editor/use-editing.ts'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { DeletePage } from './DeletePage.tsx'
import { PageEditor } from './PageEditor.tsx'
import { type PageFieldsOf, storedPage } from './stored-page.ts'

/** Changes a page. */
export const EditPage = () => {
  const { pageId } = useParams({ from: '/inside/spaces/$subdomain/pages/$pageId' })
  const { subdomain } = useSpace()
  const page = useQuery(api.pages.get.queryOptions({ subdomain, page_id: pageId }))
  if (page.isPending) return <Loading />
  if (!page.data) return <FailureView error={page.error} retry={() => void page.refetch()} />
  return <OpenPage key={pageId} page={page.data} />
}

const OpenPage = ({ page }: { page: Outputs['pages']['get'] }) => {
  const { subdomain, name } = useSpace()
  const editing = useEditing<PageFieldsOf>({
    stored: storedPage(page),
    save: async (fields, base) => {
      const input = { subdomain, page_id: page.id, ...fields, base: base ?? '' }
      const answer = await client.templates.savePage.mutate(input)
      return answer.saved
        ? { saved: true, stored: storedPage({ ...answer.page, html: fields.html }) }
        : { saved: false, theirs: storedPage(answer.theirs) }
    },
    onSaved: () => void queries.invalidateQueries(api.pages.pathFilter()),
  })
  const saved = editing.base.fields.slug
  return (
    <>
      <ViewTitle
        title={saved}
        of={name}
        text={
          <Group component="span" gap="xs">
            <Anchor href={page.url} target="_blank" rel="noopener" size="sm">
              {page.url.replace(/^https?:\/\//, '')}
            </Anchor>
            <CopyButton value={page.url} what="address" />
          </Group>
        }
      >
        <SaveButton
          isUnsaved={editing.isUnsaved}
          isSaving={editing.saving.isPending}
          isDisabled={editing.theirs !== null}
          onSave={editing.save}
        />
        <DeletePage subdomain={subdomain} page={page} />
      </ViewTitle>
      <PageEditor editing={editing} newest={storedPage(page)} savedUrl={page.url} />
    </>
  )
}
