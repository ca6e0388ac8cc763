import { Badge, Text } from '@mantine/core'
import {
  IconBrackets,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { userScopes } from '../../../routers/core/scopes.ts'
import type { Outputs } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { statusOf } from './credential.ts'

type Token = Outputs['tokens']['list'][number]

/** Says what is known about the origin of a client. */
const ClientOrigin = ({ client }: { client: NonNullable<Token['client']> }) => (
  <Text size="sm" c="dimmed">
    {client.host === null ? (
      <>Unverified name{client.sends_to.length > 0 && `, redirects to ${client.sends_to.join(', ')}`}</>
    ) : (
      <>Name published by {client.host}</>
    )}
  </Text>
)

/** One row of the list of tokens and clients. */
export const TokenCard = ({ item, now }: { item: Token; now: number }) => {
  const { id, label, client, created_at } = item
  const status = statusOf(item, now)
  const canRotate = client === null && status !== 'expired' && status !== 'replaced'
  const action = client ? 'Disconnect' : status === 'expired' ? 'Delete' : 'Revoke'
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={client ? <IconPlugConnected size={20} /> : <IconBrackets size={20} />}
      scopes={userScopes}
      badge={
        client && (
          <Badge variant="light" tt="none">
            Connected client
          </Badge>
        )
      }
      subtitle={client && <ClientOrigin client={client} />}
      created={
        <>
          {client ? 'Connected' : 'Created'} <RelativeTime at={created_at} />
        </>
      }
    >
      {canRotate && (
        <ButtonLink
          to="/account/tokens"
          search={{ rotate: id }}
          resetScroll={false}
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={16} aria-hidden />}
          aria-label={`Rotate ${label}`}
        >
          Rotate
        </ButtonLink>
      )}
      <ButtonLink
        to="/account/tokens"
        search={{ revoke: id }}
        resetScroll={false}
        variant="default"
        size="compact-sm"
        c="var(--mantine-color-error)"
        leftSection={
          client ? <IconPlugConnectedX size={16} aria-hidden /> : <IconTrash size={16} aria-hidden />
        }
        aria-label={`${action} ${label}`}
      >
        {action}
      </ButtonLink>
    </CredentialCard>
  )
}
