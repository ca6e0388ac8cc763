import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter, RateState } from '../core/context.ts'
import { networkOf } from './network.ts'

/** The store that several processes count in together. */
export interface RateStore {
  readonly client: Redis
  close(): void
}

/**
 * Connects to a Valkey or Redis, in a way that fails at once while it is away: callers don't wait for it.
 *
 * @param onError hears once of each outage
 */
export const connectRateStore = (url: string, onError: (error: Error) => void): RateStore => {
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 500 })
  let isAway = false
  const goAway = (error: Error) => {
    if (!isAway) onError(error)
    isAway = true
  }
  client.on('error', goAway)
  client.on('close', () => goAway(new Error('The connection was closed')))
  client.on('ready', () => {
    isAway = false
  })
  return {
    client,
    close: () => {
      isAway = true
      client.disconnect()
    },
  }
}

/**
 * Counts calls in windows that begin with their first call (decision 10). While the store is away, each
 * process counts on its own.
 *
 * @param name keeps the counts of several limiters apart
 * @param seconds length of a window
 */
export const rateLimiter = (
  name: string,
  limit: number,
  seconds: number,
  store: RateStore | null,
): RateLimiter => {
  const options = { points: limit, duration: seconds, keyPrefix: `space-site:${name}` }
  const memory = new RateLimiterMemory(options)
  const limiter = store
    ? new RateLimiterRedis({ ...options, storeClient: store.client, insuranceLimiter: memory })
    : memory

  const state = (result: RateLimiterRes, refused: boolean): RateState => ({
    limit,
    remaining: Math.max(0, result.remainingPoints),
    reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    refused,
  })

  return {
    limit,
    consume: async (who, calls = 1) => {
      try {
        return state(await limiter.consume(who, calls), false)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return state(refusal, true)
        throw refusal
      }
    },
  }
}

/** How many times the limit of a /64 a whole IPv6 /48 may use. */
const WIDE_FACTOR = 10

/**
 * A {@link rateLimiter} for network addresses: counts IPv6 clients by /64, and by /48 with a larger limit.
 * `consume` takes the client's address.
 */
export const networkRateLimiter = (
  name: string,
  limit: number,
  seconds: number,
  store: RateStore | null,
): RateLimiter => {
  const narrowLimiter = rateLimiter(name, limit, seconds, store)
  const wideLimiter = rateLimiter(`${name}-wide`, limit * WIDE_FACTOR, seconds, store)
  return {
    limit,
    consume: async (address, calls) => {
      const { narrow, wide } = networkOf(address)
      if (wide === null) return narrowLimiter.consume(narrow, calls)
      const [own, shared] = await Promise.all([
        narrowLimiter.consume(narrow, calls),
        wideLimiter.consume(wide, calls),
      ])
      return shared.refused ? shared : own
    },
  }
}
