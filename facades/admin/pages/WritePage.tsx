import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useSpace } from '../use-space.ts'
import { OpenPage } from './OpenPage.tsx'
import { newPage, storedPage } from './stored-page.ts'

/** Writes a new page, or goes on with one. */
export const WritePage = () => {
  const { subdomain } = useSpace()
  const { pageId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    pageId,
    made =>
      void navigate({
        to: '/spaces/$subdomain/pages/$pageId',
        params: { subdomain, pageId: made },
        ...IN_PLACE,
      }),
  )
  return <PageSession key={key} pageId={id} onCreated={onCreated} />
}

interface PageSessionProps {
  /** Undefined for a new page. */
  pageId: string | undefined
  onCreated: (id: string) => void
}

/** One page being written, from the id that it began with. */
const PageSession = ({ pageId, onCreated }: PageSessionProps) => {
  const { subdomain } = useSpace()
  const { example } = useSearch({ strict: false })
  const [beganWith] = useState(pageId)
  const page = useQuery(
    api.pages.get.queryOptions(beganWith === undefined ? skipToken : { subdomain, page_id: beganWith }),
  )
  if (beganWith === undefined) return <OpenPage initial={newPage(example)} onCreated={onCreated} />
  if (page.data) return <OpenPage initial={storedPage(page.data)} onCreated={onCreated} />
  if (page.isPending) return <Loading />
  return <FailureView level={1} error={page.error} retry={() => void page.refetch()} />
}
