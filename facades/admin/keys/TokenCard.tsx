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

/** Who a client is, as far as anybody knows. */
const ClientOrigin = ({ client }: { client: NonNullable<Token['client']> }) => (
  <Text size="sm" c="dimmed">
    {client.host === null ? (
      <>Unverified name{client.sends_to.length > 0 && `, sends you to ${client.sends_to.join(', ')}`}</>
    ) : (
      <>Described by {client.host}</>
    )}
  </Text>
)

/** One token or connected client of a person in the list. */
export const TokenCard = ({ item, now }: { item: Token; now: number }) => {
  const { id, label, client, created_at } = item
  const status = statusOf(item, now)
  const canRotate = client === null && status !== 'ended' && status !== 'replaced'
  const end = client ? 'Disconnect' : status === 'ended' ? 'Delete' : 'Revoke'
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={client ? <IconPlugConnected size={20} /> : <IconBrackets size={20} />}
      scopes={userScopes}
      mark={
        client && (
          <Badge variant="light" tt="none">
            Connected client
          </Badge>
        )
      }
      under={client && <ClientOrigin client={client} />}
      issued={
        <>
          {client ? 'Connected' : 'Issued'} <RelativeTime at={created_at} />
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
        aria-label={`${end} ${label}`}
      >
        {end}
      </ButtonLink>
    </CredentialCard>
  )
}
