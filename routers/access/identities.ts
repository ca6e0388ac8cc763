import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/orm.ts'
import type { Actor } from '../core/actor.ts'
import { spaceKeyActor, userTokenActor } from './actor.ts'
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
