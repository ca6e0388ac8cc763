import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { useStoredDraft } from '../drafts/use-kept-draft.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useSpace } from '../use-space.ts'
import { PageEditor } from './PageEditor.tsx'
import { newPage, type PageValues, storedPage } from './stored-page.ts'

/** The view that creates or edits a page. */
export const EditPage = () => {
  const { subdomain } = useSpace()
  const { pageId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { draft: draftId } = useSearch({ from: '/signed-in/spaces/$subdomain/page-editor' })
  const { key, id, draft, onCreated } = useEditorSession(
    pageId,
    draftId,
    created =>
      void navigate({
        to: '/spaces/$subdomain/pages/$pageId',
        params: { subdomain, pageId: created },
        ...IN_PLACE,
      }),
  )
  return <PageSession key={key} pageId={id} draftId={draft} onCreated={onCreated} />
}

interface PageSessionProps {
  /** Undefined for a new page. */
  pageId: string | undefined
  /** Identifies the draft of a new page. */
  draftId: string | undefined
  onCreated: (id: string) => void
}

/**
 * Loads the page and opens its editor. For a new page, `pageId` is undefined until the first save. The change of
 * `pageId` is ignored, so that the editor stays open.
 */
const PageSession = ({ pageId, draftId, onCreated }: PageSessionProps) => {
  const { subdomain } = useSpace()
  const { example } = useSearch({ from: '/signed-in/spaces/$subdomain/page-editor' })
  const [initialId] = useState(pageId)
  const page = useQuery(
    api.pages.get.queryOptions(initialId === undefined ? skipToken : { subdomain, page_id: initialId }),
  )
  const { newId, restored } = useStoredDraft<PageValues>({
    subdomain,
    kind: 'page',
    id: initialId,
    draftId,
  })
  const editor = { newId, onCreated }
  if (restored === undefined || (initialId !== undefined && page.isPending)) return <Loading />
  if (initialId === undefined)
    return <PageEditor initial={newPage(example)} restored={restored} {...editor} />
  if (page.data) return <PageEditor initial={storedPage(page.data)} restored={restored} {...editor} />
  return <FailureView level={1} error={page.error} retry={() => void page.refetch()} />
}
