import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/not-found.svg?raw'
import { EditorSession, IN_PLACE } from '../editor/EditorSession.tsx'
import { NoLook } from '../look/NoLook.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { failureOf } from '../ui/failure.ts'
import { Loading } from '../ui/Loading.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { RecordEditor } from './RecordEditor.tsx'
import { type DataRecord, type RecordValues, recordOptions } from './use-record-draft.ts'

/** The view that creates or edits a record. */
export const EditRecord = () => {
  const { key } = useParams({ strict: false })
  return <EditRecordWithKey recordKey={key} />
}

/** The view of the record that all pages of a site take their look from. */
export const EditLook = () => <EditRecordWithKey recordKey={LOOK} title="Look" missing={<NoLook />} />

/** The key of the record that the starters use for their look. */
const LOOK = 'look'

interface EditRecordWithKeyProps {
  /** Undefined for a new record. */
  recordKey: string | undefined
  title?: string
  /** Shown if there is no such record. */
  missing?: ReactNode
}

const EditRecordWithKey = ({ recordKey, title = recordKey, missing }: EditRecordWithKeyProps) => {
  const { subdomain, name } = useSpace()
  const { key: initialKey = '', draft, at } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <EditorSession<RecordValues, DataRecord>
      place={{ subdomain, kind: 'record' }}
      id={recordKey}
      draft={draft}
      query={key => recordOptions({ subdomain, key })}
      navigate={created =>
        void navigate({
          to: '/spaces/$subdomain/data/$key',
          params: { subdomain, key: created },
          ...IN_PLACE,
        })
      }
      title={<ViewTitle title={title ?? 'New record'} of={name} />}
      placeholder={<Loading rows={1} height={480} />}
      explain={error =>
        failureOf(error).code === 'data_not_found' &&
        (missing ?? (
          <Empty
            picture={picture}
            title="No such record"
            text="It never existed or was deleted. Pages that use it show nothing in its place."
          >
            <ButtonLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ key: recordKey }}>
              Create record {recordKey}
            </ButtonLink>
          </Empty>
        ))
      }
    >
      {(record, editor) => (
        <RecordEditor record={record ?? null} title={title} initialKey={initialKey} at={at} {...editor} />
      )}
    </EditorSession>
  )
}
