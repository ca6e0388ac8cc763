import { getRouteApi } from '@tanstack/react-router'
import { api, rpc } from '../api.ts'
import { usePages } from '../feedback/Loaded.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { AuditList } from './AuditList.tsx'
import { ACCOUNT_TOPICS, accountAuditSearch, filterOf } from './audit-search.ts'

const route = getRouteApi('/signed-in/account/audit')

/** The audit log of your account. */
export const AccountAudit = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const log = usePages([...api.audit.ofAccount.pathKey(), search], (cursor, options) =>
    rpc.audit.ofAccount.query({ ...filterOf(search), cursor }, options),
  )
  return (
    <>
      <ViewTitle
        title="Your audit log"
        text="Sign-ins and failed sign-ins, tokens and apps that can act as you, posts that you restored, and suspensions. Kept for a year."
      />
      <AuditList
        topics={ACCOUNT_TOPICS}
        search={search}
        onSearch={next => void navigate({ search: accountAuditSearch(next), replace: true })}
        log={log}
      />
    </>
  )
}
