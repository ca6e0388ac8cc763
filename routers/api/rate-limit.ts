import { isIPv6 } from 'node:net'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { CallLimiter, RateLimiter, RateState } from './context.ts'

/** Returns the eight 16-bit groups of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const parse = (text: string) =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  const before = parse(head)
  if (tail === undefined) return before
  const after = parse(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Returns the networks under which a client's address is counted. One customer usually holds a whole IPv6 /64 and can
 * hold a /48, so a limit on single addresses would be easy to evade.
 *
 * @returns `narrow`: the IPv4 address or the IPv6 /64; `wide`: the IPv6 /48, or null for IPv4
 */
export const networkOf = (address: string): { narrow: string; wide: string | null } => {
  const ip = MAPPED_IPV4.exec(address)?.[1] ?? address.replace(/%.*$/, '')
  if (!isIPv6(ip) || ip.includes('.')) return { narrow: ip, wide: null }
  const groups = groupsOf(ip).map(group => group.toString(16))
  return { narrow: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` }
}

/** A store that several processes share for their counts. */
export interface RateStore {
  readonly client: Redis
  readonly isUp: boolean
  close(): void
}

/**
 * Connects to Valkey or Redis. Commands fail at once while the store is down, so that callers do not wait for it.
 *
 * @param onError called once per outage
 * @param onReturn called when an outage has ended
 */
export const connectRateStore = async (
  url: string,
  onError: (error: Error) => void,
  onReturn: () => void = () => {},
): Promise<RateStore> => {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 500 })
  let isDown = false
  const onFailure = (error: Error) => {
    if (!isDown) onError(error)
    isDown = true
  }
  client.on('error', onFailure)
  client.on('close', () => onFailure(new Error('The connection was closed')))
  client.on('ready', () => {
    if (isDown) onReturn()
    isDown = false
  })
  return {
    client,
    get isUp() {
      return client.status === 'ready'
    },
    close: () => {
      isDown = true
      client.disconnect()
    },
  }
}

/**
 * Counts calls in windows of a fixed length. A window begins with the first call after the previous window has ended.
 * While the store is down, each process counts in memory.
 *
 * @param name separates the counts of different limiters
 * @param seconds length of a window
 */
export const rateLimiter = (
  name: string,
  limit: number,
  seconds: number,
  store: RateStore | null,
): CallLimiter => {
  const options = { points: limit, duration: seconds, keyPrefix: `space-site:${name}` }
  const memory = new RateLimiterMemory(options)
  const limiter = store
    ? new RateLimiterRedis({ ...options, storeClient: store.client, insuranceLimiter: memory })
    : memory

  const state = (result: RateLimiterRes, refused: boolean): RateState => ({
    limit,
    remaining: Math.max(0, result.remainingPoints),
    // Report at most the length of the window, even if the clock has been set back since the window began.
    reset: Math.min(seconds, Math.max(1, Math.ceil(result.msBeforeNext / 1000))),
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
    giveBack: async who => {
      await limiter.reward(who)
    },
  }
}

/** The limit of an IPv6 /48, as a multiple of the limit of a /64. */
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
