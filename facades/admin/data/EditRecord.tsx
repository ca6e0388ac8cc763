import { IconDatabaseOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { RecordEditor } from './RecordEditor.tsx'

const route = getRouteApi('/inside/spaces/$subdomain/data/$key')

/** The record of the address. */
export const EditRecord = () => {
  const { subdomain, name } = useSpace()
  const { key } = route.useParams()
  const record = useQuery(
    // What is shared between two reads is copied member by member, and a copied `__proto__` is none.
    api.data.get.queryOptions({ subdomain, key }, { structuralSharing: false }),
  )
  // What has been read is not taken away because it cannot be read again: somebody may be writing.
  if (record.data) return <RecordEditor key={key} record={record.data} />
  return (
    <>
      <ViewTitle title={key} of={name} />
      {record.isPending ? (
        <Loading rows={1} height={480} />
      ) : failureOf(record.error).code === 'data_not_found' ? (
        <Empty
          icon={<IconDatabaseOff />}
          title="There is no such record"
          text="It was never there, or somebody deleted it. Pages that read it show nothing in its place."
        >
          <ButtonLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ key }}>
            Make the record {key}
          </ButtonLink>
        </Empty>
      ) : (
        <FailureView error={record.error} retry={() => void record.refetch()} />
      )}
    </>
  )
}
