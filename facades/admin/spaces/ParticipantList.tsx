import { Anchor, Badge, Button } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { api, type Outputs, root } from '../api.ts'
import { UndoLink } from '../history/links.tsx'
import { useConfirmedMutation } from '../security/confirmation.tsx'
import { useSession } from '../session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { focusAfterDialog, useFocusReturn } from '../ui/focus-after-dialog.ts'
import { notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'

type Participant = Outputs['participants']['list'][number]

/** What an owner is about to do with a participant. */
interface Decision {
  participant: Participant
  outcome: Participant['role'] | 'removed'
}

interface ParticipantListProps {
  subdomain: string
  /** Name of the space. */
  name: string
  participants: Participant[]
}

/** Lists the participants of a space. Owners change roles and remove participants here. */
export const ParticipantList = ({ subdomain, name, participants }: ParticipantListProps) => {
  const session = useSession()
  const list = useRef<HTMLUListElement>(null)
  const [decision, setDecision] = useState<Decision | null>(null)
  const owners = participants.filter(({ role }) => role === 'owner')
  const isOwner = owners.some(({ handle }) => handle === session.handle)
  return (
    <Section title={counted(participants.length, 'participant')} text="In the order they joined.">
      <Rows label="Participants" ref={list}>
        {participants.map(participant => {
          const { handle, joined_at, role } = participant
          const isMe = handle === session.handle
          const other = role === 'owner' ? 'editor' : 'owner'
          return (
            <Row
              key={participant.id}
              icon={<IconUser size={20} />}
              title={
                <Anchor href={new URL(`@${handle}`, root).href} target="_blank" rel="noopener">
                  {handle}
                </Anchor>
              }
              badges={
                <>
                  <Badge variant="default" tt="none">
                    {role === 'owner' ? 'Owner' : 'Editor'}
                  </Badge>
                  {isMe && (
                    <Badge variant="light" tt="none">
                      You
                    </Badge>
                  )}
                </>
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
              {isOwner && (!isMe || owners.length > 1) && (
                <Button
                  {...rowButton}
                  aria-label={`Make ${other}: ${handle}`}
                  onClick={() => setDecision({ participant, outcome: other })}
                >
                  {other === 'owner' ? 'Make owner' : 'Make editor'}
                </Button>
              )}
              {isOwner && !isMe && (
                <Button
                  {...rowDanger}
                  aria-label={`Remove ${handle}`}
                  onClick={() => setDecision({ participant, outcome: 'removed' })}
                >
                  Remove
                </Button>
              )}
            </Row>
          )
        })}
      </Rows>
      {decision && (
        <DecisionDialog
          subdomain={subdomain}
          name={name}
          {...decision}
          isMe={decision.participant.handle === session.handle}
          onDone={() => focusAfterDialog(list)}
          onClose={() => setDecision(null)}
        />
      )}
    </Section>
  )
}

interface DecisionDialogProps extends Decision {
  subdomain: string
  /** Name of the space. */
  name: string
  isMe: boolean
  onDone: () => void
  onClose: () => void
}

/** Says what a decision about a participant has for effects, and asks for confirmation. */
export const DecisionDialog = ({
  subdomain,
  name,
  participant: { id, handle },
  outcome,
  isMe,
  onDone,
  onClose,
}: DecisionDialogProps) => {
  useFocusReturn()
  const finish = (message: string) => {
    onClose()
    onDone()
    notifySuccess(message)
  }
  const removing = useConfirmedMutation(
    api.participants.remove.mutationOptions({ onSuccess: () => finish(`${handle} removed.`) }),
  )
  const changing = useConfirmedMutation(
    api.participants.setRole.mutationOptions({
      onSuccess: (_, { role }) => finish(`${isMe ? 'You are' : `${handle} is`} now an ${role}.`),
    }),
  )
  const target = { subdomain, participant_id: id }
  const who = isMe ? 'you' : handle
  const ending = `Keys, connected apps, webhooks and open invitations that ${who} created here stop working permanently.`
  if (outcome === 'removed')
    return (
      <Confirm
        opened
        onClose={onClose}
        title={`Remove ${handle} from ${name}?`}
        action={`Remove ${handle}`}
        onConfirm={() => removing.mutate(target)}
        mutation={removing}
      >
        {ending} Unsaved changes of {handle} are discarded; everything saved stays. {handle} is notified, and
        can only come back by invitation.
      </Confirm>
    )
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Make ${isMe ? 'yourself' : handle} an ${outcome}?`}
      action={`Make ${outcome}`}
      onConfirm={() => changing.mutate({ ...target, role: outcome })}
      mutation={changing}
    >
      {outcome === 'owner'
        ? `${handle} will have full access: an owner can also delete the space, and remove you.`
        : `${ending} An editor changes the content of the site, but not its settings, keys and participants.`}
    </Confirm>
  )
}
