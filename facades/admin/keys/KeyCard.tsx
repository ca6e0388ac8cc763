import { IconKey } from '@tabler/icons-react'
import { spaceScopes } from '../../../routers/core/scopes.ts'
import type { Outputs } from '../api.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { revokeButton, rotateButton } from './card-buttons.tsx'

interface KeyCardProps {
  item: Outputs['keys']['list'][number]
  now: number
  isOwn: boolean
}

/** One row of the list of keys. */
export const KeyCard = ({ item, now, isOwn }: KeyCardProps) => {
  const { id, issuer } = item
  const rotate = rotateButton(item, now)
  const link = { from: '/spaces/$subdomain/keys', to: '.' } as const
  return (
    <CredentialCard
      credential={item}
      now={now}
      icon={<IconKey size={20} />}
      scopes={spaceScopes}
      creator={isOwn ? 'you' : issuer}
      stopsIf={isOwn ? 'Stops working if you leave' : `Stops working if ${issuer} leaves`}
    >
      {rotate && <ButtonLink {...link} search={{ rotate: id }} {...rotate} />}
      <ButtonLink {...link} search={{ revoke: id }} {...revokeButton(item, now)} />
    </CredentialCard>
  )
}
