import { Badge } from '@mantine/core'
import { IconKey, IconPlugConnected, IconPlugConnectedX, IconRefresh, IconTrash } from '@tabler/icons-react'
import { spaceScopes } from '../../../routers/core/scopes.ts'
import type { Outputs } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ClientOrigin } from './ClientOrigin.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { statusOf } from './credential.ts'

interface KeyCardProps {
  item: Outputs['keys']['list'][number]
  now: number
  isOwn: boolean
}

/** One row of the list of keys. */
export const KeyCard = ({ item, now, isOwn }: KeyCardProps) => {
  const { id, label, client, issuer, created_at } = item
  const status = statusOf(item, now)
  const canRotate = client === null && status !== 'expired' && status !== 'replaced'
  const action = client ? 'Disconnect' : status === 'expired' ? 'Delete' : 'Revoke'
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={client ? <IconPlugConnected size={20} /> : <IconKey size={20} />}
      scopes={spaceScopes}
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
          {client ? 'Connected' : 'Created'} by {isOwn ? 'you' : issuer} <RelativeTime at={created_at} />
        </>
      }
      stopsIf={isOwn ? 'Stops working if you leave' : `Stops working if ${issuer} leaves`}
    >
      {canRotate && (
        <ButtonLink
          from="/spaces/$subdomain/keys"
          to="."
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
        from="/spaces/$subdomain/keys"
        to="."
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
