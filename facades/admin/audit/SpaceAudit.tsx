import { getRouteApi } from '@tanstack/react-router'
import { api, rpc } from '../api.ts'
import { usePages } from '../feedback/Loaded.tsx'
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
  const log = usePages([...api.audit.ofSpace.pathKey(), subdomain, search], (cursor, options) =>
    rpc.audit.ofSpace.query({ subdomain, ...filterOf(search), cursor }, options),
  )
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
