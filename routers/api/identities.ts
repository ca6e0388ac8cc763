import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/database.ts'
import { findSpaceKey, findUserToken } from '../../db/queries/credentials.ts'
import type { Actor, SpaceKeyActor, UserTokenActor } from './actor.ts'
import { suspensionOf } from './credential.ts'
import { SPACE_SCOPES, USER_SCOPES } from './scopes.ts'
import { hashSecret, isSecret } from './secret.ts'

/** Maximum number of credentials whose holders are remembered; each takes about 1 kB. */
const REMEMBERED = 5_000

/** The holder of a credential. */
export interface Identity {
  /** The holder that is remembered from the last use of the credential; undefined if no holder is remembered. */
  known: Actor | undefined
  /** The current holder; the same object as `known` if nothing has changed; null if the credential is invalid. */
  confirmed: Promise<Actor | null>
}

const UNIDENTIFIED: Identity = { known: undefined, confirmed: Promise.resolve(null) }

/**
 * Authenticates keys and tokens. Every call checks its credential in the database, so a revoked credential is refused
 * at its next use. The holders of recently used credentials are remembered, so that a read can start before the check
 * is complete.
 */
export class Identities {
  readonly #sql: Sql
  /** Remembered holders, found by the hash of their secret. The secret itself must not stay in memory. */
  readonly #holders = new LRUCache<string, Actor>({ max: REMEMBERED })

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /**
   * Looks up the holder of a secret. Refuses malformed secrets without a query.
   *
   * @param kind the kind of credential that the API accepts
   * @param secret null if the caller sent none
   * @param accepts whether a holder's credential may be used for this request
   */
  identify(
    kind: 'space_key' | 'user_token',
    secret: string | null,
    accepts: (holder: Actor) => boolean,
  ): Identity {
    if (secret === null || !isSecret(kind, secret)) return UNIDENTIFIED
    const hash = hashSecret(secret)
    const key = hash.toString('base64')
    const known = this.#holders.get(key)
    const holder = (kind === 'space_key' ? spaceKeyActor : userTokenActor)(this.#sql, hash)
    return {
      known: known && accepts(known) ? known : undefined,
      confirmed: holder.then(actor => {
        const current = this.#remember(key, known, actor)
        return current && accepts(current) ? current : null
      }),
    }
  }

  #remember(key: string, known: Actor | undefined, actor: Actor | null): Actor | null {
    if (known && isDeepStrictEqual(known, actor)) return known
    if (actor) this.#holders.set(key, actor)
    else this.#holders.delete(key)
    return actor
  }
}

/** Returns the credential in an `Authorization` header, or null when it is not a Bearer header. */
export const bearer = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null

const hasExpired = ({ expires_at }: { expires_at: Date | null }) =>
  expires_at !== null && expires_at.getTime() <= Date.now()

/**
 * Whether the credential belongs to a client that was connected before resources were stored. The client has to be
 * connected again, because nobody knows what the person agreed to.
 */
const isOutdated = ({ client_id, resource }: { client_id: string | null; resource: string | null }) =>
  client_id !== null && resource === null

/**
 * Authenticates a space key by its hash.
 *
 * @returns null for an invalid key, without the reason (contract: "Authentication", 4)
 */
export const spaceKeyActor = async (db: Sql, hash: Buffer): Promise<SpaceKeyActor | null> => {
  const row = await findSpaceKey(db, hash)
  if (!row || hasExpired(row) || isOutdated(row)) return null
  return {
    kind: 'space_key',
    keyId: row.key_id,
    secretHash: hash,
    firstId: row.first_id,
    label: row.label,
    accountId: row.account_id,
    clientId: row.client_id,
    resource: row.resource,
    agentName: row.agent_name,
    scopes: SPACE_SCOPES.filter(scope => row.scopes.includes(scope)),
    space: { id: row.space_id, subdomain: row.subdomain, name: row.name, iconId: row.icon_id },
  }
}

/**
 * Authenticates a user token by its hash.
 *
 * @returns null for an invalid token, without the reason (contract: User API, "Authentication", 5)
 */
export const userTokenActor = async (db: Sql, hash: Buffer): Promise<UserTokenActor | null> => {
  const row = await findUserToken(db, hash)
  if (!row || hasExpired(row) || isOutdated(row)) return null
  return {
    kind: 'user_token',
    tokenId: row.token_id,
    secretHash: hash,
    label: row.label,
    accountId: row.account_id,
    clientId: row.client_id,
    resource: row.resource,
    agentName: row.agent_name,
    handle: row.handle,
    ...suspensionOf(row),
    scopes: USER_SCOPES.filter(scope => row.scopes.includes(scope)),
  }
}
