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

/** One key of a space in the list. */
export const KeyCard = ({ item, now, isOwn }: KeyCardProps) => {
  const { id, label, issuer, created_at } = item
  const status = statusOf(item, now)
  const canRotate = status !== 'ended' && status !== 'replaced'
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={<IconKey size={20} />}
      scopes={spaceScopes}
      issued={
        <>
          Issued by {isOwn ? 'you' : issuer} <RelativeTime at={created_at} />
        </>
      }
      ends={isOwn ? 'Stops if you leave' : `Stops if ${issuer} leaves`}
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
        aria-label={`${status === 'ended' ? 'Delete' : 'Revoke'} ${label}`}
      >
        {status === 'ended' ? 'Delete' : 'Revoke'}
      </ButtonLink>
    </CredentialCard>
  )
}
