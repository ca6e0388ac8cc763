import { IconPlugConnectedX, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type Credential, isClient, statusOf } from './credential.ts'

const LOOK = { resetScroll: false, variant: 'default', size: 'compact-sm' } as const

/** Props of the link that opens the dialog for rotating a credential; null if it can't be rotated. */
export const rotateButton = (credential: Credential, now: number) => {
  const status = statusOf(credential, now)
  if (isClient(credential) || status === 'expired' || status === 'replaced') return null
  return {
    ...LOOK,
    leftSection: <IconRefresh size={16} aria-hidden />,
    'aria-label': `Rotate ${credential.label}`,
    children: 'Rotate',
  }
}

/** Props of the link that opens the dialog for revoking a credential. */
export const revokeButton = (credential: Credential, now: number) => {
  const isApp = isClient(credential)
  const action = isApp ? 'Disconnect' : statusOf(credential, now) === 'expired' ? 'Delete' : 'Revoke'
  const Icon = isApp ? IconPlugConnectedX : IconTrash
  return {
    ...LOOK,
    c: 'var(--mantine-color-error)',
    leftSection: <Icon size={16} aria-hidden />,
    'aria-label': `${action} ${credential.label}`,
    children: action,
  }
}
