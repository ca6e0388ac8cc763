import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import picture from '../../shared/illustrations/not-found.svg?raw'
import { api } from '../api.ts'
import { useStoredDraft } from '../drafts/use-kept-draft.ts'
import { IN_PLACE, useEditorSession } from '../editor/use-editor-session.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { RecordEditor } from './RecordEditor.tsx'
import type { RecordValues } from './use-record-draft.ts'

/** The view that creates or edits a record. */
export const EditRecord = () => {
  const { subdomain } = useSpace()
  const { key: recordKey } = useParams({ strict: false })
  const navigate = useNavigate()
  const { draft: draftId } = useSearch({ from: '/signed-in/spaces/$subdomain/record-editor' })
  const { key, id, draft, onCreated } = useEditorSession(
    recordKey,
    draftId,
    created =>
      void navigate({ to: '/spaces/$subdomain/data/$key', params: { subdomain, key: created }, ...IN_PLACE }),
  )
  return <RecordSession key={key} recordKey={id} draftId={draft} onCreated={onCreated} />
}

interface RecordSessionProps {
  /** Undefined for a new record. */
  recordKey: string | undefined
  /** Identifies the draft of a new record. */
  draftId: string | undefined
  onCreated: (key: string) => void
}

/** Loads the record and opens its editor. */
const RecordSession = ({ recordKey, draftId, onCreated }: RecordSessionProps) => {
  const { subdomain, name } = useSpace()
  const { key: initialKey = '' } = useSearch({ from: '/signed-in/spaces/$subdomain/record-editor' })
  const record = useQuery(
    // Turn off structural sharing: it copies objects member by member, which loses a key called `__proto__`.
    api.data.get.queryOptions(recordKey === undefined ? skipToken : { subdomain, key: recordKey }, {
      structuralSharing: false,
    }),
  )
  const { newId, restored } = useStoredDraft<RecordValues>({
    subdomain,
    kind: 'record',
    id: recordKey,
    draftId,
  })
  // A failed refetch must not close an open editor.
  if (restored !== undefined && (recordKey === undefined || record.data))
    return (
      <RecordEditor
        record={record.data ?? null}
        restored={restored}
        newId={newId}
        initialKey={initialKey}
        onCreated={onCreated}
      />
    )
  return (
    <>
      <ViewTitle title={recordKey ?? 'New record'} of={name} />
      {record.isPending || recordKey === undefined || restored === undefined ? (
        <Loading rows={1} height={480} />
      ) : failureOf(record.error).code === 'data_not_found' ? (
        <Empty
          picture={picture}
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
