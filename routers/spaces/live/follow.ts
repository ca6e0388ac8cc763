import { tracked } from '@trpc/server'
import { type ChangeRow, listChangesAfter } from '../../../db/queries/history.ts'
import { revisionsOf } from '../../../db/queries/spaces.ts'
import type { SessionActor } from '../../api/actor.ts'
import type { Core } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { toChange } from '../../content/history/schema.ts'
import { cursorsFrom, eventIdOf } from './cursors.ts'
import { News } from './news.ts'
import type { LiveEvent } from './schema.ts'

/** Maximum number of changes in an event. A browser that misses more reads everything again. */
const MAX_CHANGES = 100

/** A new stream begins with the changes of this many ms, which the views that the browser has just read may lack. */
const RECENT = 60_000

/** Maximum number of writes that the first event of a new stream looks back. */
const RECENT_WRITES = 50

/** The id of an event before any revision is known. */
const NONE = '-'

interface FollowOptions {
  session: SessionActor
  address: string | undefined
  subdomains: readonly string[]
  /** The id of the last event that the browser has received. */
  lastEventId: string | undefined
  signal: AbortSignal | undefined
}

/**
 * Follows the changes of spaces. Ends when the client leaves, the process stops, the session or a participation ends, or
 * the account is suspended or no longer suspended. The client then begins a new stream with the id of the last event, at
 * any process, and misses nothing.
 *
 * @throws `space_not_found` if the account participates in none of the spaces, `rate_limited` if the account or network
 * has too many streams
 */
export async function* followSpaces(
  { presence, revisions, database }: Core,
  { session, address, subdomains, lastEventId, signal }: FollowOptions,
) {
  const news = new News()
  const stream = await presence.enter(session, address, subdomains, news)
  const unwatch: (() => void)[] = []
  signal?.addEventListener('abort', news.onEnd)
  if (signal?.aborted) news.onEnd()
  try {
    for (const { id } of stream.spaces)
      unwatch.push(
        revisions.watch(id, {
          accountId: session.accountId,
          onRevision: () => news.onChange(id),
          onStop: news.onEnd,
        }),
      )
    const names = new Map(stream.spaces.map(({ id, subdomain }) => [id, subdomain]))
    const known = cursorsFrom(lastEventId)
    const cursors = new Map<string, string>()
    const send = (event: LiveEvent) => tracked(eventIdOf(cursors) || NONE, event)

    const followed = new Set(names.values())
    if (followed.size === 0) throw new Problem('space_not_found')
    for (const subdomain of subdomains) if (!followed.has(subdomain)) yield send({ kind: 'gone', subdomain })
    for (const { id, revision } of await revisionsOf(database, [...names.keys()])) {
      const subdomain = names.get(id)!
      const cursor = known.get(subdomain)
      // A space can have an earlier revision than the cursor after a backup was restored.
      const isKnown = cursor !== undefined && BigInt(cursor) <= BigInt(revision)
      const read = isKnown
        ? await changesSince(database, id, cursor, revision)
        : await recentChanges(database, id, revision)
      cursors.set(subdomain, read.revision)
      const isComplete = read.event.is_complete && (isKnown || cursor === undefined)
      yield send({ kind: 'changes', subdomain, ...read.event, is_complete: isComplete })
    }

    for (;;) {
      const arrived = await news.next()
      if (!arrived) return
      const [isAllowed, current] = await Promise.all([
        stream.isAllowed(),
        arrived.changed.size > 0 ? revisionsOf(database, [...arrived.changed]) : [],
      ])
      if (!isAllowed) return
      for (const { id, revision } of current) {
        const subdomain = names.get(id)!
        const cursor = cursors.get(subdomain)!
        if (BigInt(revision) <= BigInt(cursor)) continue
        const read = await changesSince(database, id, cursor, revision)
        cursors.set(subdomain, read.revision)
        yield send({ kind: 'changes', subdomain, ...read.event })
      }
      for (const id of arrived.people) yield send({ kind: 'people', subdomain: names.get(id)! })
    }
  } finally {
    signal?.removeEventListener('abort', news.onEnd)
    for (const end of unwatch) end()
    stream.leave()
  }
}

interface Read {
  /** The revision up to which the changes were read. */
  revision: string
  event: { changes: ReturnType<typeof toChange>[]; is_complete: boolean }
}

/**
 * Reads the changes between two revisions. Each write has a revision of its own, so a revision without a change means
 * that the history no longer has it (or that the write changed nothing).
 */
const changesSince = async (
  database: Core['database'],
  spaceId: string,
  after: string,
  revision: string,
): Promise<Read> => {
  if (after === revision) return { revision, event: { changes: [], is_complete: true } }
  const rows = await listChangesAfter(database, spaceId, after, MAX_CHANGES + 1)
  const changes = rows.slice(0, MAX_CHANGES)
  const until = latestOf(rows, revision)
  const revisions = new Set(changes.map(row => row.revision))
  const isComplete = rows.length <= MAX_CHANGES && BigInt(revisions.size) === BigInt(until) - BigInt(after)
  return { revision: until, event: { changes: changes.map(toChange), is_complete: isComplete } }
}

/** Reads the changes of the last minute. */
const recentChanges = async (
  database: Core['database'],
  spaceId: string,
  revision: string,
): Promise<Read> => {
  const after = Math.max(0, Number(revision) - RECENT_WRITES)
  const rows = await listChangesAfter(database, spaceId, `${after}`, MAX_CHANGES)
  const since = Date.now() - RECENT
  const recent = rows.filter(({ at }) => at.getTime() > since)
  const isComplete =
    rows.length === 0 || recent.length < rows.length || (after === 0 && rows.length < MAX_CHANGES)
  return {
    revision: latestOf(rows, revision),
    event: { changes: recent.map(toChange), is_complete: isComplete },
  }
}

/** The revision of the newest change, which can be later than the revision that was read before. */
const latestOf = ([newest]: readonly ChangeRow[], revision: string): string =>
  newest && BigInt(newest.revision) > BigInt(revision) ? newest.revision : revision
