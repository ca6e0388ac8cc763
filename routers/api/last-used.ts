import { LRUCache } from 'lru-cache'
import type { Agent, CredentialUse } from '../../db/queries/credentials.ts'
import { batchedWrites } from './batched-writes.ts'
import type { LastUsed } from './context.ts'

/**
 * Minimum time between two writes for one credential, in ms. Uses by agents and by other programs are recorded
 * separately.
 */
const RESOLUTION = 60_000
/** The service collects uses of credentials for this time, in ms, and then writes them together. */
const DELAY = 2_000
/**
 * Maximum number of credentials whose last write the service remembers. Uses of other credentials are written more
 * often than necessary.
 */
const CAPACITY = 10_000
/** Maximum number of refused secrets to collect; unauthenticated callers can send any number. */
const MAX_REFUSALS = 100

const recently = () => new LRUCache<string, string>({ max: CAPACITY, ttl: RESOLUTION })

/**
 * Summarizes a use of a credential by an agent. If the last written use is less than `RESOLUTION` ago, the service
 * normally skips a new use. But if the summaries of the two uses differ, the service writes the new use.
 */
const summaryOf = ({ tools, problem }: Pick<Agent, 'tools' | 'problem'>) => `${tools} ${problem}`

/** Where uses are stored. */
interface Store {
  write: (uses: CredentialUse[]) => Promise<void>
  /** Records refused secrets by their first characters. */
  refuse: (hints: string[]) => Promise<void>
}

/**
 * Collects the uses of credentials and writes them together.
 *
 * @param onError called if a write fails; the uses in that write are lost
 */
export const lastUsed = (store: Store, onError: (error: unknown) => void): LastUsed => {
  const pending = new Map<string, CredentialUse>()
  const refused = new Set<string>()
  const names = recently()
  const written = { byAny: recently(), byAgents: recently() }

  const write = async () => {
    const uses = [...pending.values()]
    const hints = [...refused]
    pending.clear()
    refused.clear()
    for (const { id, agent } of uses) {
      written.byAny.set(id, '')
      if (agent) written.byAgents.set(id, summaryOf(agent))
    }
    try {
      if (uses.length > 0) await store.write(uses)
      if (hints.length > 0) await store.refuse(hints)
    } catch (error) {
      onError(error)
    }
  }

  const { schedule, flush } = batchedWrites(DELAY, write)

  return {
    touch: (id, agent) => {
      if (agent?.name) names.set(id, agent.name)
      // An agent's first use is written even if another program has just used the credential.
      const isKnown = agent
        ? !agent.isConnecting && written.byAgents.get(id) === summaryOf(agent)
        : written.byAny.has(id)
      if (isKnown) return
      const earlier = pending.get(id)?.agent ?? null
      const latest = agent
        ? {
            ...agent,
            name: agent.name ?? earlier?.name ?? null,
            isConnecting: agent.isConnecting || earlier?.isConnecting === true,
          }
        : earlier
      pending.set(id, { id, at: new Date(), agent: latest })
      schedule()
    },
    recentAgent: id => names.get(id),
    refuse: hint => {
      if (refused.size >= MAX_REFUSALS) return
      refused.add(hint)
      schedule()
    },
    flush,
  }
}
