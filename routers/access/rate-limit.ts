import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

/** Seconds of a window; it begins with its first call (decision 10). */
const WINDOW = 60

/** How many calls a credential has left. */
export interface RateState {
  /** Calls allowed in a window. */
  limit: number
  /** Calls left in the window. */
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  reset: number
  /** Whether this call was one too many. */
  refused: boolean
}

export interface RateLimiter {
  /** Calls allowed in a minute. */
  readonly perMinute: number
  /** Counts one call of a credential. Never fails: without its shared store it counts in memory. */
  consume(credential: string): Promise<RateState>
  stop(): void
}

/**
 * Counts calls by credential.
 *
 * @param redisUrl a Valkey or Redis that several processes count in together
 * @param onStoreError hears once of each outage of that store
 */
export const startRateLimiter = ({
  perMinute,
  redisUrl,
  onStoreError,
}: {
  perMinute: number
  redisUrl?: string | undefined
  onStoreError?: (error: Error) => void
}): RateLimiter => {
  const points = { points: perMinute, duration: WINDOW, keyPrefix: 'space-site:calls' }
  const memory = new RateLimiterMemory(points)
  const redis = redisUrl ? connect(redisUrl, onStoreError) : null
  const limiter = redis
    ? new RateLimiterRedis({ ...points, storeClient: redis, insuranceLimiter: memory })
    : memory

  const state = (result: RateLimiterRes, refused: boolean): RateState => ({
    limit: perMinute,
    remaining: Math.max(0, result.remainingPoints),
    reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    refused,
  })

  return {
    perMinute,
    consume: async credential => {
      try {
        return state(await limiter.consume(credential), false)
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return state(refusal, true)
        throw refusal
      }
    },
    stop: () => redis?.disconnect(),
  }
}

/** A connection that fails at once while the store is away, so that callers don't wait for it. */
const connect = (url: string, onStoreError?: (error: Error) => void) => {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 500 })
  let told = false
  redis.on('error', error => {
    if (!told) onStoreError?.(error)
    told = true
  })
  redis.on('ready', () => {
    told = false
  })
  return redis
}
