import { Badge, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { IconMail, IconUserPlus } from '@tabler/icons-react'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs } from '../api.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { useSession } from '../session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Snippet } from '../ui/CopyButton.tsx'
import { failureOf } from '../ui/failure.ts'
import { focusAfterDialog, useFocusReturn } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime, relativeTime } from '../ui/RelativeTime.tsx'
import { rowDanger } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'

type Invite = Outputs['invites']['list'][number]

interface InvitationsProps {
  subdomain: string
  /** Name of the space. */
  name: string
  /** Whether the person is an editor, who only sees a dialog that was open before they became one. */
  isEditor: boolean
}

/** What the person who joins may do. */
const ROLES: { value: Invite['role']; label: string }[] = [
  { value: 'editor', label: 'As an editor' },
  { value: 'owner', label: 'As an owner' },
]

/** Creates invitation links, lists the open ones and revokes them. */
export const Invitations = (props: InvitationsProps) => (
  <ConfirmationProvider>
    <InvitationsSection {...props} />
  </ConfirmationProvider>
)

const InvitationsSection = ({ subdomain, name, isEditor }: InvitationsProps) => {
  const { handle } = useSession()
  const invites = useQuery(api.invites.list.queryOptions(isEditor ? skipToken : { subdomain }))
  const [role, setRole] = useState<Invite['role']>('editor')
  const button = useRef<HTMLButtonElement>(null)
  const [revoking, setRevoking] = useState<Invite | null>(null)
  const create = useConfirmedMutation(
    // The link is secret, so it must not stay in the cache.
    api.invites.create.mutationOptions({ gcTime: 0, onError: notifyFailure }),
  )
  return (
    <>
      {!isEditor && (
        <Section
          title="Invitations"
          text={`Each link lets one person join. It works once and expires in ${limits.inviteDays} days.`}
          action={
            <Group gap="xs">
              <NativeSelect
                aria-label="Role of the person who joins"
                data={ROLES}
                value={role}
                onChange={event => setRole(event.currentTarget.value as Invite['role'])}
              />
              <Button
                ref={button}
                leftSection={<IconUserPlus size={18} aria-hidden />}
                onClick={() => create.mutate({ subdomain, role })}
                loading={create.isPending}
              >
                Invite someone
              </Button>
            </Group>
          }
        >
          <Loaded query={invites} placeholder={null}>
            {open =>
              open.length > 0 && (
                <Rows label="Open invitations">
                  {open.map(invite => (
                    <Row
                      key={invite.id}
                      icon={<IconMail size={20} />}
                      badges={
                        <Badge variant="default" tt="none">
                          {invite.role === 'owner' ? 'Owner' : 'Editor'}
                        </Badge>
                      }
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
              )
            }
          </Loaded>
        </Section>
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
    </>
  )
}

interface InviteLinkProps {
  /** Name of the space. */
  name: string
  url: string
  role: Invite['role']
  expires_at: string
  onClose: () => void
}

/** Shows the link of a new invitation. It can't be shown again. */
export const InviteLink = ({ name, url, role, expires_at, onClose }: InviteLinkProps) => (
  <Modal
    opened
    onClose={onClose}
    title={`Invite someone to ${name}`}
    centered
    size="lg"
    closeOnClickOutside={false}
  >
    <Stack>
      <Text>
        Send this link to one person. The first person who uses it joins the space{' '}
        {role === 'owner' ? 'as an owner, with full access.' : 'as an editor.'}
      </Text>
      <Snippet label="Invitation link" text={url} />
      <Text size="sm" c="dimmed">
        It works once and expires <RelativeTime at={expires_at} />. You can’t see it again: if you lose it,
        revoke the invitation and create another one.
      </Text>
      <Button onClick={onClose} fullWidth>
        Done
      </Button>
    </Stack>
  </Modal>
)

interface RevokeInvitationProps {
  subdomain: string
  invite: Outputs['invites']['list'][number]
  onDone: () => void
  onClose: () => void
}

/** Asks for confirmation before an open invitation is revoked. */
export const RevokeInvitation = ({ subdomain, invite, onDone, onClose }: RevokeInvitationProps) => {
  useFocusReturn()
  const finish = (message: string) => {
    onClose()
    onDone()
    notifySuccess(message)
  }
  const revoke = useMutation(
    api.invites.withdraw.mutationOptions({
      onSuccess: () => finish('Invitation revoked.'),
      onError: error =>
        failureOf(error).code === 'invite_not_found'
          ? finish('This invitation is no longer open: it was already used or revoked.')
          : undefined,
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Revoke invitation?"
      action="Revoke invitation"
      onConfirm={() => revoke.mutate({ subdomain, invite_id: invite.id })}
      mutation={revoke}
    >
      <Text>
        The link that {invite.inviter} created {relativeTime(invite.created_at)} will stop working.
      </Text>
    </Confirm>
  )
}
