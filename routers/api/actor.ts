import type { SpaceScope, UserScope } from './scopes.ts'

/** The space an operation works on. */
export interface SpaceRef {
  id: string
  subdomain: string
  name: string
  iconId: string | null
}

/** A program that holds a space key. */
export interface SpaceKeyActor {
  kind: 'space_key'
  keyId: string
  secretHash: Buffer
  /** The id of the first key in this key's chain of rotations; the key's own id if it did not replace another key. */
  firstId: string
  label: string
  /** The participant who issued the key; recorded as the uploader of files. */
  accountId: string
  /** The OAuth client that holds the key; null for a key that a participant issued. */
  clientId: string | null
  /** What the client was connected to (`GrantResource`); null for a key that a participant issued. */
  resource: string | null
  /** The name of the agent that last connected with the key; null if none has. */
  agentName: string | null
  scopes: SpaceScope[]
  space: SpaceRef
}

/** A caller that acts as an account. */
interface AccountActor {
  /** The operator's reason for the suspension; absent if the account is not suspended. */
  suspensionReason?: string
}

/** A program that holds a user token and acts as the account that issued it. */
export interface UserTokenActor extends AccountActor {
  kind: 'user_token'
  tokenId: string
  secretHash: Buffer
  label: string
  accountId: string
  handle: string
  /** The OAuth client that holds the token; null for a token that the person issued. */
  clientId: string | null
  /** What the client was connected to (`GrantResource`); null for a token that the person issued. */
  resource: string | null
  /** The name of the agent that last connected with the token; null if none has. */
  agentName: string | null
  scopes: UserScope[]
}

/** A person signed in with a browser. */
export interface SessionActor extends AccountActor {
  kind: 'session'
  accountId: string
  handle: string
  tokenHash: Buffer
  hasPassword: boolean
  suspendedAt: Date | null
}

/** The authenticated caller of a procedure. */
export type Actor = SpaceKeyActor | UserTokenActor | SessionActor

/**
 * Returns the id under which a caller's calls are counted: the id of the key, the token or, for a session, the account.
 */
export const callerOf = (actor: Actor): string =>
  actor.kind === 'space_key' ? actor.keyId : actor.kind === 'user_token' ? actor.tokenId : actor.accountId

/** Whether the caller is an app that a person connected through OAuth. */
export const isConnected = (actor: Actor | null | undefined): boolean =>
  actor != null && actor.kind !== 'session' && actor.clientId !== null
