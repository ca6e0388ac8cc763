import { IconKey, IconRefresh, IconTrash } from '@tabler/icons-react'
import { spaceScopes } from '../../../routers/core/scopes.ts'
import type { Outputs } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { statusOf } from './credential.ts'

interface KeyCardProps {
  item: Outputs['keys']['list'][number]
  now: number
  isOwn: boolean
}

/** One row of the list of keys. */
export const KeyCard = ({ item, now, isOwn }: KeyCardProps) => {
  const { id, label, issuer, created_at } = item
  const status = statusOf(item, now)
  const canRotate = status !== 'expired' && status !== 'replaced'
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={<IconKey size={20} />}
      scopes={spaceScopes}
      created={
        <>
          Created by {isOwn ? 'you' : issuer} <RelativeTime at={created_at} />
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
        leftSection={<IconTrash size={16} aria-hidden />}
        aria-label={`${status === 'expired' ? 'Delete' : 'Revoke'} ${label}`}
      >
        {status === 'expired' ? 'Delete' : 'Revoke'}
      </ButtonLink>
    </CredentialCard>
  )
}
