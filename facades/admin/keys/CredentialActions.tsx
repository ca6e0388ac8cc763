import { IconPlugConnectedX, IconRefresh, IconTrash } from '@tabler/icons-react'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { rowButton, rowDanger } from '../shell/RowButton.tsx'
import { type Credential, type CredentialStatus, isClient } from './credential.ts'

interface CredentialActionsProps {
  credential: Credential
  status: CredentialStatus
}

/**
 * Links that open the dialogs for rotating and revoking a credential. Connected apps rotate their credentials
 * themselves.
 */
export const CredentialActions = ({ credential, status }: CredentialActionsProps) => {
  const { id, label } = credential
  const isApp = isClient(credential)
  const canRotate = !isApp && status !== 'expired' && status !== 'replaced'
  const revocation = isApp ? 'Disconnect' : status === 'expired' ? 'Delete' : 'Revoke'
  const RevocationIcon = isApp ? IconPlugConnectedX : IconTrash
  const link = { to: '.', resetScroll: false } as const
  return (
    <>
      {canRotate && (
        <ButtonLink
          {...link}
          {...rowButton}
          search={{ rotate: id }}
          leftSection={<IconRefresh size={16} aria-hidden />}
          aria-label={`Rotate ${label}`}
        >
          Rotate
        </ButtonLink>
      )}
      <ButtonLink
        {...link}
        {...rowDanger}
        search={{ revoke: id }}
        leftSection={<RevocationIcon size={16} aria-hidden />}
        aria-label={`${revocation} ${label}`}
      >
        {revocation}
      </ButtonLink>
    </>
  )
}
