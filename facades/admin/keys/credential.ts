import type { Outputs } from '../api.ts'

/** What keys and tokens have in common. */
export type Credential = Pick<
  Outputs['keys']['list'][number],
  'id' | 'label' | 'hint' | 'scopes' | 'created_at' | 'last_used_at' | 'expires_at' | 'replaced_at'
>

/** What the person calls it. */
export type Noun = 'key' | 'token'

/** Milliseconds before its end in which one is marked. */
const SOON = 14 * 24 * 60 * 60 * 1000

/** How it stands with a key or token. */
export type CredentialStatus = 'lasting' | 'ending' | 'ending soon' | 'replaced' | 'ended'

/** @param now in milliseconds, as `Date.now()` */
export const statusOf = ({ expires_at, replaced_at }: Credential, now: number): CredentialStatus => {
  if (expires_at === null) return 'lasting'
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'ended'
  if (replaced_at !== null) return 'replaced'
  return left < SOON ? 'ending soon' : 'ending'
}

/** Whether it is a token that a connected client holds and renews by itself. */
export const isClient = (credential: Credential): boolean =>
  'client' in credential && credential.client !== null
