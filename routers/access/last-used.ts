import { LRUCache } from 'lru-cache'
import type { CredentialUse } from '../../db/queries/credential-uses.ts'
import type { LastUsed } from '../core/context.ts'

/**
 * Minimum time between two writes for one credential, in ms. Uses by agents and by other programs are recorded
 * separately.
 */
const RESOLUTION = 60_000
/** How long uses are collected before one statement writes them, in ms. */
const DELAY = 2_000
/**
 * Number of credentials whose last write is remembered. If a credential is forgotten, its uses are only written more
 * often.
 */
const CAPACITY = 10_000

const recentWrites = () => new LRUCache<string, true>({ max: CAPACITY, ttl: RESOLUTION })

/**
 * Collects the uses of credentials and writes them together.
 *
 * @param write stores the given uses in one statement
 * @param onError called if a write fails; its uses are lost
 */
export const lastUsed = (
  write: (uses: CredentialUse[]) => Promise<void>,
  onError: (error: unknown) => void,
): LastUsed => {
  const pending = new Map<string, CredentialUse>()
  const written = { byAny: recentWrites(), byAgents: recentWrites() }
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const uses = [...pending.values()]
    pending.clear()
    for (const { id, isByAgent } of uses) {
      written.byAny.set(id, true)
      if (isByAgent) written.byAgents.set(id, true)
    }
    try {
      await write(uses)
    } catch (error) {
      onError(error)
    }
  }

  return {
    touch: (id, isByAgent = false) => {
      // An agent's first use is written even if another program has just used the credential.
      if ((isByAgent ? written.byAgents : written.byAny).has(id)) return
      pending.set(id, { id, at: new Date(), isByAgent: isByAgent || pending.get(id)?.isByAgent === true })
      timer ??= setTimeout(() => void flush(), DELAY).unref()
    },
    flush,
  }
}
