import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { statusOf } from '../credentials/credential.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { both, Loaded } from '../ui/Loaded.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { DangerButton, Section } from '../ui/Section.tsx'
import { forgetSpace } from './space-cache.ts'

interface LeaveSpaceProps {
  subdomain: string
  /** Name of the space. */
  name: string
  participants: Outputs['participants']['list']
}

/** Leaves a space, after showing what stops working. */
export const LeaveSpace = ({ subdomain, name, participants }: LeaveSpaceProps) => {
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const leave = useMutation(
    api.participants.leave.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/', replace: true })
        await forgetSpace(subdomain)
        notifySuccess(`You left ${name}.`)
      },
    }),
  )
  const isEditor = participants.find(person => person.handle === handle)?.role === 'editor'
  const others = participants.filter(person => person.handle !== handle)
  const isNeeded = !isEditor && others.every(({ role }) => role === 'editor')
  return (
    <>
      {isNeeded ? (
        <Section
          title="Leave space"
          text={
            <>
              {others.length === 0
                ? 'You are the only participant, so you can’t leave. Invite someone first'
                : 'You are the only owner, so you can’t leave. Make another participant an owner first'}
              , or delete the space in{' '}
              <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }}>
                its settings
              </TextLink>
              .
            </>
          }
        />
      ) : (
        <Section
          title="Leave space"
          text="The space and its contents stay with the other participants."
          action={<DangerButton label="Leave space" onClick={() => setConfirming(true)} />}
        />
      )}
      {/* Stays when the others have left meanwhile: it shows why the service refused. */}
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Leave ${name}?`}
        action="Leave space"
        onConfirm={() => leave.mutate({ subdomain })}
        mutation={leave}
      >
        <Stack gap="xs">
          <Text>You can only come back if someone invites you again.</Text>
          {!isEditor && <OwnersConsequences subdomain={subdomain} handle={handle} />}
        </Stack>
      </Confirm>
    </>
  )
}

/** Reads what an owner has issued in the space, of which editors have nothing. */
const OwnersConsequences = ({ subdomain, handle }: { subdomain: string; handle: string }) => {
  const keys = useQuery(api.keys.list.queryOptions({ subdomain }))
  const invites = useQuery(api.invites.list.queryOptions({ subdomain }))
  const webhooks = useQuery(api.webhooks.list.queryOptions({ subdomain }))
  return (
    <Loaded query={both(keys, both(invites, webhooks))} placeholder={<Skeleton height={24} />}>
      {([allKeys, [allInvites, allWebhooks]]) => (
        <LeaveConsequences
          keys={allKeys
            .filter(key => key.issuer === handle && statusOf(key, Date.now()) !== 'expired')
            .map(({ label }) => label)}
          webhooks={allWebhooks.filter(({ owner }) => owner === handle).length}
          invites={allInvites.filter(({ inviter }) => inviter === handle).length}
        />
      )}
    </Loaded>
  )
}

/** Maximum number of listed labels; the rest is only counted. */
const MAX_LABELS = 5

/** Lists what stops working when the person leaves the space: keys, by label, webhooks and open invitations. */
export const LeaveConsequences = ({
  keys,
  webhooks,
  invites,
}: {
  keys: readonly string[]
  webhooks: number
  invites: number
}) => {
  if (keys.length === 0 && webhooks === 0 && invites === 0)
    return <Text>You have no keys, webhooks and open invitations here, so nothing will stop working.</Text>
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
        {webhooks > 0 && <List.Item>{counted(webhooks, 'webhook')} you added</List.Item>}
        {invites > 0 && <List.Item>{counted(invites, 'open invitation')} you created</List.Item>}
      </List>
      {keys.length > 0 && (
        <Text size="sm" c="dimmed">
          If scripts need these keys, ask another owner to rotate them first.
        </Text>
      )}
    </>
  )
}
