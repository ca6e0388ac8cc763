import { Anchor, Badge } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { type Outputs, root } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { UndoLink } from '../history/UndoLink.tsx'
import { useSession } from '../session.ts'
import { Row, Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'

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
    <Section
      title={participants.length === 1 ? '1 participant' : `${participants.length} participants`}
      text="In the order they joined."
    >
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
