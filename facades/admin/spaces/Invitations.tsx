import { Button } from '@mantine/core'
import { IconMail, IconUserPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { notifyFailure } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { useSession } from '../session.ts'
import { rowDanger } from '../shell/RowButton.tsx'
import { Row, Rows } from '../shell/Rows.tsx'
import { Section } from '../shell/Section.tsx'
import { InviteLink } from './InviteLink.tsx'
import { RevokeInvitation } from './RevokeInvitation.tsx'

type Invite = Outputs['invites']['list'][number]

interface InvitationsProps {
  subdomain: string
  /** Name of the space. */
  name: string
  invites: Invite[]
}

/** Creates invitation links, lists the open ones and revokes them. */
export const Invitations = (props: InvitationsProps) => (
  <ConfirmationProvider>
    <InvitationsSection {...props} />
  </ConfirmationProvider>
)

const InvitationsSection = ({ subdomain, name, invites }: InvitationsProps) => {
  const { handle } = useSession()
  const button = useRef<HTMLButtonElement>(null)
  const [revoking, setRevoking] = useState<Invite | null>(null)
  const create = useConfirmedMutation(
    // The link is secret, so it must not stay in the cache.
    api.invites.create.mutationOptions({ gcTime: 0, onError: notifyFailure }),
  )
  return (
    <Section
      title="Invitations"
      text={`Each link lets one person join. It works once and expires in ${limits.inviteDays} days.`}
      action={
        <Button
          ref={button}
          leftSection={<IconUserPlus size={18} aria-hidden />}
          onClick={() => create.mutate({ subdomain })}
          loading={create.isPending}
        >
          Invite someone
        </Button>
      }
    >
      {invites.length > 0 && (
        <Rows label="Open invitations">
          {invites.map(invite => (
            <Row
              key={invite.id}
              icon={<IconMail size={20} />}
              title={
                <>
                  Created by {invite.inviter === handle ? 'you' : invite.inviter}{' '}
                  <RelativeTime at={invite.created_at} />
                </>
              }
              text={
                <>
                  Expires <RelativeTime at={invite.expires_at} />. Stops working if{' '}
                  {invite.inviter === handle ? 'you leave' : `${invite.inviter} leaves`}.
                </>
              }
            >
              <Button {...rowDanger} onClick={() => setRevoking(invite)}>
                Revoke
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      {create.data && (
        <InviteLink
          name={name}
          {...create.data}
          onClose={() => {
            create.reset()
            focusAfterDialog(button)
          }}
        />
      )}
      {revoking && (
        <RevokeInvitation
          subdomain={subdomain}
          invite={revoking}
          onDone={() => focusAfterDialog(button)}
          onClose={() => setRevoking(null)}
        />
      )}
    </Section>
  )
}
