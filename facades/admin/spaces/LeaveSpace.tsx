import { Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { statusOf } from '../keys/credential.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { DangerButton } from '../shell/DangerButton.tsx'
import { Section } from '../shell/Section.tsx'
import { LeaveConsequences } from './LeaveConsequences.tsx'
import { forgetSpace } from './space-cache.ts'

interface LeaveSpaceProps {
  subdomain: string
  /** Name of the space. */
  name: string
  /** Whether the person is the only participant. */
  isLast: boolean
  invites: Outputs['invites']['list']
}

/** Leaves a space, after showing what stops working. */
export const LeaveSpace = ({ subdomain, name, isLast, invites }: LeaveSpaceProps) => {
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const keys = useQuery({ ...api.keys.list.queryOptions({ subdomain }), enabled: isConfirming })
  const leave = useMutation(
    api.participants.leave.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/', replace: true })
        await forgetSpace(subdomain)
        notifySuccess(`You left ${name}.`)
      },
    }),
  )
  const ownKeys = keys.data
    ?.filter(key => key.issuer === handle && statusOf(key, Date.now()) !== 'expired')
    .map(({ label }) => label)
  const ownInvites = invites.filter(({ inviter }) => inviter === handle).length
  if (isLast)
    return (
      <Section
        title="Leave space"
        text={
          <>
            You are the only participant, so you can’t leave. Invite someone first, or delete the space in{' '}
            <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }}>
              its settings
            </TextLink>
            .
          </>
        }
      />
    )
  return (
    <>
      <Section
        title="Leave space"
        text="The space and its contents stay with the other participants."
        action={<DangerButton label="Leave space" onClick={() => setConfirming(true)} />}
      />
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Leave ${name}?`}
        action="Leave space"
        onConfirm={() => leave.mutate({ subdomain })}
        mutation={{ ...leave, error: leave.error ?? keys.error }}
      >
        <Stack gap="xs">
          <Text>You can only come back if someone invites you again.</Text>
          <LeaveConsequences keys={ownKeys} invites={ownInvites} />
        </Stack>
      </Confirm>
    </>
  )
}
