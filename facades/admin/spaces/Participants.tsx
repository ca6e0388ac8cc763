import { Anchor, Badge, Stack } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, type Outputs, root } from '../api.ts'
import { UndoLink } from '../history/links.tsx'
import { useSession } from '../session.ts'
import { both, Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Invitations } from './Invitations.tsx'
import { LeaveSpace } from './LeaveSpace.tsx'

/** The participants and invitations of a space, and a way to leave it. */
export const Participants = () => {
  const { subdomain, name } = useSpace()
  const participants = useQuery(api.participants.list.queryOptions({ subdomain }))
  const invites = useQuery(api.invites.list.queryOptions({ subdomain }))
  return (
    <>
      <ViewTitle title="Participants" of={name} text="Every participant has full access." />
      <Loaded query={both(participants, invites)} placeholder={<Loading rows={3} height={120} maw="48rem" />}>
        {([people, open]) => (
          <Stack gap="lg" maw="48rem">
            <ParticipantList subdomain={subdomain} participants={people} />
            <Invitations subdomain={subdomain} name={name} invites={open} />
            <LeaveSpace subdomain={subdomain} name={name} isLast={people.length === 1} invites={open} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

/** Lists the participants of a space. */
export const ParticipantList = ({
  subdomain,
  participants,
}: {
  subdomain: string
  participants: Outputs['participants']['list']
}) => {
  const session = useSession()
  return (
    <Section title={counted(participants.length, 'participant')} text="In the order they joined.">
      <Rows label="Participants">
        {participants.map(({ handle, joined_at }) => (
          <Row
            key={handle}
            icon={<IconUser size={20} />}
            title={
              <Anchor href={new URL(`@${handle}`, root).href} target="_blank" rel="noopener">
                {handle}
              </Anchor>
            }
            badges={
              handle === session.handle && (
                <Badge variant="light" tt="none">
                  You
                </Badge>
              )
            }
            text={
              <>
                Joined <RelativeTime at={joined_at} />
              </>
            }
          >
            <UndoLink
              subdomain={subdomain}
              isActor={actor => actor.kind === 'session' && actor.handle === handle}
              label={handle}
            />
          </Row>
        ))}
      </Rows>
    </Section>
  )
}
