import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ConfirmationProvider } from '../security/confirmation.tsx'
import { useSession } from '../session.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Invitations } from './Invitations.tsx'
import { LeaveSpace } from './LeaveSpace.tsx'
import { ParticipantList } from './ParticipantList.tsx'

/** The participants and invitations of a space, and a way to leave it. */
export const Participants = () => {
  const { subdomain, name } = useSpace()
  const { handle } = useSession()
  const participants = useQuery(api.participants.list.queryOptions({ subdomain }))
  const isEditor = participants.data?.find(person => person.handle === handle)?.role === 'editor'
  return (
    <>
      <ViewTitle
        title="Participants"
        of={name}
        text="Owners have full access. Editors change the content of the site, but not its settings, keys and participants."
      />
      <Loaded query={participants} placeholder={<Loading rows={3} height={120} maw="48rem" />}>
        {people => (
          <Stack gap="lg" maw="48rem">
            <ConfirmationProvider>
              <ParticipantList subdomain={subdomain} name={name} participants={people} />
            </ConfirmationProvider>
            <Invitations subdomain={subdomain} name={name} isEditor={isEditor} />
            <LeaveSpace subdomain={subdomain} name={name} participants={people} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}
