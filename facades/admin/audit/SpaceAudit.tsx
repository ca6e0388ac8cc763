import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, client } from '../api.ts'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { AuditList } from './AuditList.tsx'
import { filterOf, SPACE_TOPICS, spaceAuditSearch } from './audit-search.ts'

const route = getRouteApi('/signed-in/spaces/$subdomain/audit')

/** The audit log of a space. */
export const SpaceAudit = () => {
  const { subdomain, name } = useSpace()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery({
    queryKey: [...api.audit.ofSpace.pathKey(), subdomain, search],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.audit.ofSpace.query({ subdomain, ...filterOf(search), cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <ViewTitle
        title="Audit log"
        of={name}
        text="Who got access to this space, who exported or restored content, and what was refused. Kept for a year."
      />
      <AuditList
        topics={SPACE_TOPICS}
        search={search}
        onSearch={next => void navigate({ search: spaceAuditSearch(next), replace: true })}
        log={log}
      />
    </>
  )
}
