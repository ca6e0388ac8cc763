import { Badge } from '@mantine/core'
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
import { ClientOrigin } from './ClientOrigin.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { statusOf } from './credential.ts'

/** One row of the list of tokens and apps. */
export const TokenCard = ({ item, now }: { item: Outputs['tokens']['list'][number]; now: number }) => {
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
            Connected app
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
