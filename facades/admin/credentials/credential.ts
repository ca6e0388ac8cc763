import type { Outputs } from '../api.ts'

/** The fields that keys and tokens share. */
export type Credential = Pick<
  Outputs['keys']['list'][number],
  'id' | 'label' | 'hint' | 'scopes' | 'client' | 'created_at' | 'last_used_at' | 'expires_at' | 'replaced_at'
>

/** The noun that texts use for the credential. */
export type Noun = 'key' | 'token'

/** How long before expiry the list shows a badge, in ms. */
const EXPIRING_SOON = 14 * 24 * 60 * 60 * 1000

/** The lifecycle status of a key or token. */
export type CredentialStatus = 'permanent' | 'expiring' | 'expiring soon' | 'replaced' | 'expired'

/** Returns the status at a given time. @param now in ms, as `Date.now()` */
export const statusOf = ({ expires_at, replaced_at }: Credential, now: number): CredentialStatus => {
  if (expires_at === null) return 'permanent'
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'expired'
  if (replaced_at !== null) return 'replaced'
  return left < EXPIRING_SOON ? 'expiring soon' : 'expiring'
}

/** Whether a key or token belongs to a connected app, which refreshes it automatically. */
export const isClient = ({ client }: Credential): boolean => client !== null
