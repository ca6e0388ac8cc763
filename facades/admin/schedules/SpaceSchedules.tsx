import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ListAbove } from '../ui/ListAbove.tsx'
import { ScheduleRows } from './ScheduleRows.tsx'

/** Interval at which a visible window asks what is still scheduled, in ms. */
const REFRESH_EVERY = 30_000

/** What is scheduled in a space. Renders nothing visible if nothing is. */
export const SpaceSchedules = ({ subdomain }: { subdomain: string }) => {
  const { data = [] } = useQuery(
    api.schedules.list.queryOptions({ subdomain }, { refetchInterval: REFRESH_EVERY }),
  )
  return (
    <ListAbove
      title="Scheduled"
      items={data}
      noun="saves and deletions"
      rows={(schedules, focus) => <ScheduleRows subdomain={subdomain} schedules={schedules} focus={focus} />}
    />
  )
}
