import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, client, type Outputs, queries } from '../api.ts'
import { Gone, isGone } from '../editor/Gone.tsx'
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
  if (!page.data) return <FailureView level={1} error={page.error} retry={() => void page.refetch()} />
  return <OpenPage key={pageId} page={page.data} error={page.error} />
}

interface OpenPageProps {
  page: Outputs['pages']['get']
  /** Why it could not be read anew. */
  error: unknown
}

const OpenPage = ({ page, error }: OpenPageProps) => {
  const navigate = useNavigate()
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
  const keep = async () => {
    const made = await client.pages.create.mutate({ subdomain, ...editing.current() })
    await navigate({
      to: '/spaces/$subdomain/pages/$pageId',
      params: { subdomain, pageId: made.id },
      ignoreBlocker: true,
    })
    void queries.invalidateQueries(api.pages.list.pathFilter())
  }
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
      {(isGone(error) || isGone(editing.saving.error)) && <Gone what="page" onKeep={keep} />}
      <PageEditor editing={editing} newest={storedPage(page)} savedUrl={page.url} />
    </>
  )
}
