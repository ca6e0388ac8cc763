import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { useStoredDraft } from '../drafts/use-kept-draft.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useSpace } from '../use-space.ts'
import { PartEditor } from './PartEditor.tsx'
import { NEW_PART, type PartValues, storedPart } from './stored-part.ts'

/** The view that creates or edits a part. */
export const EditPart = () => {
  const { subdomain } = useSpace()
  const { partId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { draft: draftId } = useSearch({ from: '/signed-in/spaces/$subdomain/part-editor' })
  const { key, id, draft, onCreated } = useEditorSession(
    partId,
    draftId,
    created =>
      void navigate({
        to: '/spaces/$subdomain/parts/$partId',
        params: { subdomain, partId: created },
        ...IN_PLACE,
      }),
  )
  return <PartSession key={key} partId={id} draftId={draft} onCreated={onCreated} />
}

interface PartSessionProps {
  /** Undefined for a new part. */
  partId: string | undefined
  /** Identifies the draft of a new part. */
  draftId: string | undefined
  onCreated: (id: string) => void
}

/**
 * Loads the part and opens its editor. For a new part, `partId` is undefined until the first save. The change of
 * `partId` is ignored, so that the editor stays open.
 */
const PartSession = ({ partId, draftId, onCreated }: PartSessionProps) => {
  const { subdomain } = useSpace()
  const [initialId] = useState(partId)
  const part = useQuery(
    api.parts.get.queryOptions(initialId === undefined ? skipToken : { subdomain, part_id: initialId }),
  )
  const { newId, restored } = useStoredDraft<PartValues>({
    subdomain,
    kind: 'part',
    id: initialId,
    draftId,
  })
  const editor = { newId, onCreated }
  if (restored === undefined || (initialId !== undefined && part.isPending)) return <Loading />
  if (initialId === undefined) return <PartEditor initial={NEW_PART} restored={restored} {...editor} />
  if (part.data) return <PartEditor initial={storedPart(part.data)} restored={restored} {...editor} />
  return <FailureView level={1} error={part.error} retry={() => void part.refetch()} />
}
