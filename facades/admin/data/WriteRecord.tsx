import { IconDatabaseOff } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api } from '../api.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { RecordEditor } from './RecordEditor.tsx'

/** Writes a new record, or goes on with one. */
export const WriteRecord = () => {
  const { subdomain } = useSpace()
  const { key: recordKey } = useParams({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    recordKey,
    made =>
      void navigate({ to: '/spaces/$subdomain/data/$key', params: { subdomain, key: made }, ...IN_PLACE }),
  )
  return <RecordSession key={key} recordKey={id} onCreated={onCreated} />
}

interface RecordSessionProps {
  /** Undefined for a new record. */
  recordKey: string | undefined
  onCreated: (key: string) => void
}

/** One record being written. */
const RecordSession = ({ recordKey, onCreated }: RecordSessionProps) => {
  const { subdomain, name } = useSpace()
  const { key: proposed = '' } = useSearch({ strict: false })
  const record = useQuery(
    // What is shared between two reads is copied member by member, and a copied `__proto__` is none.
    api.data.get.queryOptions(recordKey === undefined ? skipToken : { subdomain, key: recordKey }, {
      structuralSharing: false,
    }),
  )
  // What has been read is not taken away because it cannot be read again: somebody may be writing.
  if (recordKey === undefined || record.data)
    return <RecordEditor record={record.data ?? null} proposed={proposed} onCreated={onCreated} />
  return (
    <>
      <ViewTitle title={recordKey} of={name} />
      {record.isPending ? (
        <Loading rows={1} height={480} />
      ) : failureOf(record.error).code === 'data_not_found' ? (
        <Empty
          icon={<IconDatabaseOff />}
          title="There is no such record"
          text="It was never there, or somebody deleted it. Pages that read it show nothing in its place."
        >
          <ButtonLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ key: recordKey }}>
            Make the record {recordKey}
          </ButtonLink>
        </Empty>
      ) : (
        <FailureView error={record.error} retry={() => void record.refetch()} />
      )}
    </>
  )
}
