import { hash, randomBytes } from 'node:crypto'
import type { CountedVisits, VisitKind } from '../../db/queries/visits.ts'
import { batchedWrites } from '../api/batched-writes.ts'
import type { Visit, Visits } from '../api/context.ts'
import { networkOf } from '../api/rate-limit.ts'
import { limits } from '../api/rules.ts'

const HOUR = 60 * 60_000

/** How long visits are collected before they are written, in ms. */
const DELAY = 5_000

/**
 * Maximum number of names and visitors to collect before a write: in total, and names of each kind for each space. Views
 * beyond this number are still counted, but not their names and visitors.
 */
const CAPACITY = 100_000
const SHARE = 2 * limits.visitNames

/** Where the figures are stored. */
interface Store {
  /** Returns the salt of a day, which all processes share. @param created the salt if there is none yet */
  salt: (day: string, created: Buffer) => Promise<Buffer>
  write: (batch: CountedVisits[]) => Promise<void>
}

/** What was counted for one space on one day. */
interface Pending extends Pick<CountedVisits, 'spaceId' | 'day' | 'views' | 'notFound' | 'failed'> {
  names: Record<VisitKind, Map<string, number>>
  hours: Map<number, number>
  visitors: Set<bigint>
}

const increase = <Key>(counts: Map<Key, number>, key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1)

/**
 * Counts visits in memory and writes the figures together. A process that is killed loses the visits of the last
 * seconds. So does a write that fails: it is not repeated, because nobody knows whether the database has committed it.
 *
 * A visitor is a hash of the salt of the day, the space, the network address (IPv6: the /64) and the name of the browser.
 * The address and the name are not kept.
 *
 * @param onError called if the database does not respond
 */
export const visitCounter = (store: Store, onError: (error: unknown) => void): Visits => {
  let pending = new Map<string, Pending>()
  let size = 0
  /** The salt of the latest day, in hexadecimal; a promise until it has been read. */
  let salt: { day: string; value: string | Promise<string | null> } | undefined

  const pendingOf = (spaceId: string, day: string): Pending => {
    const key = `${day} ${spaceId}`
    let found = pending.get(key)
    if (!found) {
      const names = { page: new Map(), source: new Map(), not_found: new Map(), failed: new Map() }
      found = {
        spaceId,
        day,
        views: 0,
        notFound: 0,
        failed: 0,
        names,
        hours: new Map(),
        visitors: new Set(),
      }
      pending.set(key, found)
    }
    return found
  }

  const addName = (names: Map<string, number>, name: string) => {
    if (names.has(name) || (names.size < SHARE && size < CAPACITY)) {
      if (!names.has(name)) size++
      increase(names, name)
    } else increase(names, '')
  }

  const saltFor = (day: string): string | Promise<string | null> => {
    if (salt?.day === day) return salt.value
    const reading = store.salt(day, randomBytes(32)).then(
      bytes => {
        const value = bytes.toString('hex')
        if (salt === own) own.value = value
        return value
      },
      (error: unknown) => {
        if (salt === own) salt = undefined
        onError(error)
        return null
      },
    )
    const own: NonNullable<typeof salt> = { day, value: reading }
    salt = own
    return reading
  }

  const addVisitor = (day: string, { spaceId, address, userAgent }: Visit, value: string | null) => {
    if (value === null || size >= CAPACITY) return
    const digest = hash('sha256', `${value} ${spaceId} ${networkOf(address).narrow} ${userAgent}`, 'buffer')
    const { visitors } = pendingOf(spaceId, day)
    const before = visitors.size
    visitors.add(digest.readBigUInt64BE() >> 1n)
    size += visitors.size - before
  }

  const write = async () => {
    // Visitors whose salt is still being read belong to this write.
    await salt?.value
    const batch = [...pending.values()]
    pending = new Map()
    size = 0
    if (batch.length === 0) return
    try {
      await store.write(batch.map(toCounted))
    } catch (error) {
      onError(error)
    }
  }

  const { schedule, flush } = batchedWrites(DELAY, write)

  return {
    note: visit => {
      const now = Date.now()
      const day = new Date(now).toISOString().slice(0, 10)
      const figures = pendingOf(visit.spaceId, day)
      schedule()
      if (visit.kind === 'not_found') {
        figures.notFound++
        return addName(figures.names.not_found, visit.path)
      }
      if (visit.kind === 'failed') {
        figures.failed++
        return addName(figures.names.failed, visit.path)
      }
      figures.views++
      increase(figures.hours, Math.floor(now / HOUR) * HOUR)
      addName(figures.names.page, visit.path)
      if (visit.source !== null) addName(figures.names.source, visit.source)
      const value = saltFor(day)
      if (typeof value === 'string') return addVisitor(day, visit, value)
      void value.then(read => addVisitor(day, visit, read))
    },
    flush,
  }
}

const toCounted = ({ names, hours, visitors, ...figures }: Pending): CountedVisits => ({
  ...figures,
  names: Object.entries(names).flatMap(([kind, counts]) =>
    Array.from(counts, ([name, count]) => ({ kind: kind as VisitKind, name, count })),
  ),
  hours: Array.from(hours, ([hour, views]) => ({ hour: new Date(hour), views })),
  visitors: [...visitors],
})
