import { createHash } from 'node:crypto'
import type { CountedEvent, NewAuditEvent } from '../../db/queries/audit.ts'
import { batchedWrites } from './batched-writes.ts'
import type { CountedEvents } from './context.ts'

const HOUR = 60 * 60_000

/** How long events are collected before they are written, in ms. */
const DELAY = 5_000

/**
 * Maximum number of different events to collect before a write: in total, and for each space or account, whether the
 * events are in its log or it caused them. Further events are not recorded.
 */
const CAPACITY = 1_000
const SHARE = 50

/**
 * Collects events that can happen very often, such as refused calls, and counts them by hour, caller and reason. After
 * a failed write, the events are kept for the next one.
 *
 * @param write stores the counts
 * @param onError called if a write fails
 */
export const countedEvents = (
  write: (events: CountedEvent[]) => Promise<void>,
  onError: (error: unknown) => void,
): CountedEvents => {
  let pending = new Map<string, CountedEvent>()
  /** How many pending events each space and account owns or caused. */
  let shares = new Map<string, number>()
  const add = (key: string, { owner, actor }: NewAuditEvent, create: () => CountedEvent) => {
    const known = pending.get(key)
    if (known) {
      known.count += 1
      return
    }
    // An account can cause events in the logs of all its spaces.
    const sharers = new Set([...Object.values(owner), ...(actor === null ? [] : [actor])])
    const isFull = [...sharers].some(id => (shares.get(id) ?? 0) >= SHARE)
    if (pending.size >= CAPACITY || isFull) return
    for (const id of sharers) shares.set(id, (shares.get(id) ?? 0) + 1)
    pending.set(key, create())
    schedule()
  }

  const writePending = async () => {
    const batch = pending
    pending = new Map()
    shares = new Map()
    if (batch.size === 0) return
    try {
      await write([...batch.values()])
    } catch (error) {
      onError(error)
      for (const [key, event] of batch) restore(key, event)
    }
  }

  const restore = (key: string, event: CountedEvent) => {
    const newer = pending.get(key)
    if (newer) Object.assign(newer, { at: event.at, count: newer.count + event.count })
    else add(key, event, () => event)
  }

  const { schedule, flush } = batchedWrites(DELAY, writePending)

  const note = (event: NewAuditEvent) => {
    const at = new Date()
    const { owner, kind, actor, actorLabel, details } = event
    const hour = Math.floor(at.getTime() / HOUR)
    const key = JSON.stringify([hour, owner, kind, actor, actorLabel, details])
    add(key, event, () => ({
      ...event,
      at,
      count: 1,
      bucket: createHash('sha256').update(key).digest('base64url'),
    }))
  }
  return { note, flush }
}
