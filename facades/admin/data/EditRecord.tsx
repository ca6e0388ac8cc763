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

/** The view that creates or edits a record. */
export const EditRecord = () => {
  const { subdomain } = useSpace()
  const { key: recordKey } = useParams({ strict: false })
  const navigate = useNavigate()
  const { key, id, onCreated } = useEditorSession(
    recordKey,
    created =>
      void navigate({ to: '/spaces/$subdomain/data/$key', params: { subdomain, key: created }, ...IN_PLACE }),
  )
  return <RecordSession key={key} recordKey={id} onCreated={onCreated} />
}

interface RecordSessionProps {
  /** Undefined for a new record. */
  recordKey: string | undefined
  onCreated: (key: string) => void
}

/** Loads the record and opens its editor. */
const RecordSession = ({ recordKey, onCreated }: RecordSessionProps) => {
  const { subdomain, name } = useSpace()
  const { key: initialKey = '' } = useSearch({ strict: false })
  const record = useQuery(
    // Turn off structural sharing: it copies objects member by member, which loses a key called `__proto__`.
    api.data.get.queryOptions(recordKey === undefined ? skipToken : { subdomain, key: recordKey }, {
      structuralSharing: false,
    }),
  )
  // A failed refetch must not close an open editor.
  if (recordKey === undefined || record.data)
    return <RecordEditor record={record.data ?? null} initialKey={initialKey} onCreated={onCreated} />
  return (
    <>
      <ViewTitle title={recordKey} of={name} />
      {record.isPending ? (
        <Loading rows={1} height={480} />
      ) : failureOf(record.error).code === 'data_not_found' ? (
        <Empty
          icon={<IconDatabaseOff />}
          title="No such record"
          text="It never existed or was deleted. Pages that use it show nothing in its place."
        >
          <ButtonLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ key: recordKey }}>
            Create record {recordKey}
          </ButtonLink>
        </Empty>
      ) : (
        <FailureView error={record.error} retry={() => void record.refetch()} />
      )}
    </>
  )
}
