import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Invitations } from './Invitations.tsx'
import { LeaveSpace } from './LeaveSpace.tsx'
import { ParticipantList } from './ParticipantList.tsx'

/** The participants and invitations of a space, and a way to leave it. */
export const Participants = () => {
  const { subdomain, name } = useSpace()
  const participants = useQuery(api.participants.list.queryOptions({ subdomain }))
  const invites = useQuery(api.invites.list.queryOptions({ subdomain }))
  const failed = participants.isError ? participants : invites.isError ? invites : null
  return (
    <>
      <ViewTitle title="Participants" of={name} text="Every participant has full access." />
      {failed ? (
        <FailureView
          error={failed.error}
          retry={() => void Promise.all([participants.refetch(), invites.refetch()])}
        />
      ) : participants.data && invites.data ? (
        <Stack gap="lg" maw="48rem">
          <ParticipantList subdomain={subdomain} participants={participants.data} />
          <Invitations subdomain={subdomain} name={name} invites={invites.data} />
          <LeaveSpace
            subdomain={subdomain}
            name={name}
            isLast={participants.data.length === 1}
            invites={invites.data}
          />
        </Stack>
      ) : (
        <Loading rows={3} height={120} maw="48rem" />
      )}
    </>
  )
}
