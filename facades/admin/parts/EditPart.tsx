import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useSpace } from '../use-space.ts'
import { PartEditor } from './PartEditor.tsx'
import { NEW_PART, storedPart } from './stored-part.ts'

/** The view that creates or edits a part. */
export const EditPart = () => {
  const { subdomain } = useSpace()
  const { partId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    partId,
    created =>
      void navigate({
        to: '/spaces/$subdomain/parts/$partId',
        params: { subdomain, partId: created },
        ...IN_PLACE,
      }),
  )
  return <PartSession key={key} partId={id} onCreated={onCreated} />
}

interface PartSessionProps {
  /** Undefined for a new part. */
  partId: string | undefined
  onCreated: (id: string) => void
}

/** Loads the part and opens its editor. Keeps the first `partId`, because a new part gets its id while it is open. */
const PartSession = ({ partId, onCreated }: PartSessionProps) => {
  const { subdomain } = useSpace()
  const [initialId] = useState(partId)
  const part = useQuery(
    api.parts.get.queryOptions(initialId === undefined ? skipToken : { subdomain, part_id: initialId }),
  )
  if (initialId === undefined) return <PartEditor initial={NEW_PART} onCreated={onCreated} />
  if (part.data) return <PartEditor initial={storedPart(part.data)} onCreated={onCreated} />
  if (part.isPending) return <Loading />
  return <FailureView level={1} error={part.error} retry={() => void part.refetch()} />
}
