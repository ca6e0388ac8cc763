import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { statusOf } from '../keys/credential.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { Section } from '../shell/Section.tsx'
import { LeaveConsequences } from './LeaveConsequences.tsx'
import { forgetSpace } from './space-cache.ts'

interface LeaveSpaceProps {
  subdomain: string
  /** Of the space. */
  name: string
  /** Whether nobody else takes part. */
  isLast: boolean
  invites: Outputs['invites']['list']
}

/** Leaves a space, once one knows what ends with it. */
export const LeaveSpace = ({ subdomain, name, isLast, invites }: LeaveSpaceProps) => {
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const keys = useQuery({ ...api.keys.list.queryOptions({ subdomain }), enabled: isAsking })
  const leave = useMutation(
    api.participants.leave.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/', replace: true })
        await forgetSpace(subdomain)
        notifySuccess(`You have left ${name}.`)
      },
    }),
  )
  const ownKeys = keys.data
    ?.filter(key => key.issuer === handle && statusOf(key, Date.now()) !== 'ended')
    .map(({ label }) => label)
  const ownInvites = invites.filter(({ inviter }) => inviter === handle).length
  if (isLast)
    return (
      <Section
        title="Leave the space"
        text={
          <>
            You are the only participant, so you cannot leave: nobody could run the space any more. Invite
            somebody first, or delete it in{' '}
            <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }} underline="always">
              the settings
            </TextLink>
            .
          </>
        }
      />
    )
  return (
    <>
      <Section
        title="Leave the space"
        text="Everything in it stays, and the others go on without you."
        action={
          <Button
            variant="outline"
            color="red"
            c="var(--mantine-color-error)"
            onClick={() => setAsking(true)}
          >
            Leave
          </Button>
        }
      />
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Leave ${name}?`}
        action="Leave the space"
        onConfirm={() => leave.mutate({ subdomain })}
        pending={leave.isPending}
        error={leave.error ?? keys.error}
      >
        <Stack gap="xs">
          <Text>You come back only if somebody invites you again.</Text>
          <LeaveConsequences keys={ownKeys} invites={ownInvites} />
        </Stack>
      </Confirm>
    </>
  )
}
