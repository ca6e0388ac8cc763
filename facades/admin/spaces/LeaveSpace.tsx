import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { statusOf } from '../credentials/credential.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { DangerButton, Section } from '../ui/Section.tsx'
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

/** Maximum number of listed labels; the rest is only counted. */
const MAX_LABELS = 5

/** Lists what stops working when the person leaves the space: keys, by label, and open invitations. */
export const LeaveConsequences = ({
  keys,
  invites,
}: {
  keys: readonly string[] | undefined
  invites: number
}) => {
  if (!keys) return <Skeleton height={24} />
  if (keys.length === 0 && invites === 0)
    return <Text>You have no keys and no open invitations here, so nothing will stop working.</Text>
  return (
    <>
      <Text>These stop working permanently, even if you come back:</Text>
      <List spacing={4} withPadding>
        {keys.length > 0 && (
          <List.Item>
            {counted(keys.length, 'key')} you created:{' '}
            {keys
              .slice(0, MAX_LABELS)
              .map(label => `“${label}”`)
              .join(', ')}
            {keys.length > MAX_LABELS && ` and ${keys.length - MAX_LABELS} more`}
          </List.Item>
        )}
        {invites > 0 && <List.Item>{counted(invites, 'open invitation')} you created</List.Item>}
      </List>
      {keys.length > 0 && (
        <Text size="sm" c="dimmed">
          If scripts need these keys, ask another participant to rotate them first.
        </Text>
      )}
    </>
  )
}
