import { IconBrackets } from '@tabler/icons-react'
import { userScopes } from '../../../routers/core/scopes.ts'
import type { Outputs } from '../api.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { CredentialCard } from './CredentialCard.tsx'
import { revokeButton, rotateButton } from './card-buttons.tsx'

/** One row of the list of tokens and apps. */
export const TokenCard = ({ item, now }: { item: Outputs['tokens']['list'][number]; now: number }) => {
  const { id } = item
  const rotate = rotateButton(item, now)
  return (
    <CredentialCard credential={item} now={now} icon={<IconBrackets size={20} />} scopes={userScopes}>
      {rotate && <ButtonLink to="/account/tokens" search={{ rotate: id }} {...rotate} />}
      <ButtonLink to="/account/tokens" search={{ revoke: id }} {...revokeButton(item, now)} />
    </CredentialCard>
  )
}
