import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/orm.ts'
import type { Actor } from '../core/actor.ts'
import { spaceKeyActor, userTokenActor } from './actor.ts'
import { hashSecret } from './secret.ts'

/** Maximum number of credentials whose holders are remembered; each takes about 1 kB. */
const REMEMBERED = 5_000

/** The holder of a credential. */
export interface Identity {
  /** The holder when the credential was last used; undefined if it is not remembered. */
  known: Actor | undefined
  /** The holder now: `known` itself if nothing has changed; null if the credential is invalid. */
  confirmed: Promise<Actor | null>
}

/**
 * Authenticates keys and tokens. Every call checks its credential in the database, so a revoked credential is refused
 * at its next use. The holders of recently used credentials are remembered, so that a read can start before the check
 * is complete.
 */
export class Identities {
  readonly #sql: Sql
  /** Holders by the hash of the secret, because secrets must not stay in memory. */
  readonly #holders = new LRUCache<string, Actor>({ max: REMEMBERED })

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** @param secret a space key or, for the User API, a user token; null if the caller sent none */
  identify(api: 'space' | 'user', secret: string | null): Identity {
    const confirmed = (api === 'user' ? userTokenActor : spaceKeyActor)(this.#sql, secret)
    if (secret === null) return { known: undefined, confirmed }
    const hash = api + hashSecret(secret).toString('base64')
    const known = this.#holders.get(hash)
    return { known, confirmed: confirmed.then(actor => this.#remember(hash, known, actor)) }
  }

  #remember(hash: string, known: Actor | undefined, actor: Actor | null): Actor | null {
    if (known && isDeepStrictEqual(known, actor)) return known
    if (actor) this.#holders.set(hash, actor)
    else this.#holders.delete(hash)
    return actor
  }
}
