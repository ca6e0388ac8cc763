import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useSpace } from '../use-space.ts'
import { OpenPart } from './OpenPart.tsx'
import { NEW_PART, storedPart } from './stored-part.ts'

/** Writes a new part, or goes on with one. */
export const WritePart = () => {
  const { subdomain } = useSpace()
  const { partId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    partId,
    made =>
      void navigate({
        to: '/spaces/$subdomain/parts/$partId',
        params: { subdomain, partId: made },
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

/** One part being written, from the id that it began with. */
const PartSession = ({ partId, onCreated }: PartSessionProps) => {
  const { subdomain } = useSpace()
  const [beganWith] = useState(partId)
  const part = useQuery(
    api.parts.get.queryOptions(beganWith === undefined ? skipToken : { subdomain, part_id: beganWith }),
  )
  if (beganWith === undefined) return <OpenPart initial={NEW_PART} onCreated={onCreated} />
  if (part.data) return <OpenPart initial={storedPart(part.data)} onCreated={onCreated} />
  if (part.isPending) return <Loading />
  return <FailureView level={1} error={part.error} retry={() => void part.refetch()} />
}
