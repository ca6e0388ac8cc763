import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import {
  deletePresences,
  deleteStalePresences,
  type FollowedSpace,
  insertPresences,
  listFollowed,
  listPeoplePresent,
  listPresences,
  touchPresences,
} from '../../../db/queries/presences.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { SessionActor } from '../../api/actor.ts'
import { idleSince } from '../../api/browser-session.ts'
import type { Presence, Stream, StreamListener } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { networkOf } from '../../api/rate-limit.ts'
import { limits } from '../../api/rules.ts'

/** Time in ms between two queries for who has come or gone in other processes. */
const ASK_EVERY = 5_000

/** Time in ms between two writes that say which streams are open. */
const TOUCH_EVERY = 10_000

/** Time in ms after which a stream that no process has named is gone. */
const STALE_AFTER = 30_000

/** Seconds after which a browser should try again if there are too many streams. */
const RETRY_SECONDS = 30

interface OpenStream extends Stream {
  accountId: string
  listener: StreamListener
}

/**
 * The streams of this process, and who has which space open in all processes. While a stream is open, one query every
 * few seconds finds out who has come and gone, and which streams have lost their row because their session or
 * participation ended. Such a stream tells nothing in between: it looks before each event whether it still may.
 */
export class Presences implements Presence {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #streams = new Map<string, OpenStream>()
  /** Number of streams by account and by network. */
  readonly #counts = new Map<string, number>()
  /** The accounts that have a space open, as far as its streams know. */
  readonly #known = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #touchedAt = 0

  /** @param onError called if a query fails; the next one follows a few seconds later */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  async enter(
    session: SessionActor,
    network: string | undefined,
    subdomains: readonly string[],
    listener: StreamListener,
  ): Promise<Stream> {
    const id = newId()
    const release = this.#count(session.accountId, network)
    try {
      const spaces = await inTransaction(this.#database, sql =>
        insertPresences(sql, {
          stream: id,
          sessionHash: session.tokenHash,
          accountId: session.accountId,
          subdomains,
          now: new Date(),
        }),
      )
      const stream: OpenStream = {
        id,
        spaces,
        accountId: session.accountId,
        listener,
        isAllowed: () => this.#isAllowed(stream, session.suspendedAt),
        leave: () => {
          release()
          if (!this.#streams.delete(id)) return
          void inTransaction(this.#database, sql => deletePresences(sql, [id]))
            .then(() => this.#tell(spaces))
            .catch(this.#onError)
        },
      }
      this.#streams.set(id, stream)
      this.#tell(spaces)
      this.#schedule()
      return stream
    } catch (error) {
      release()
      throw error
    }
  }

  async people(spaceId: string) {
    return listPeoplePresent(this.#database, spaceId, new Date(Date.now() - STALE_AFTER))
  }

  /** Ends the queries, and removes the streams of this process. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const open = [...this.#streams.keys()]
    this.#streams.clear()
    if (open.length > 0)
      await inTransaction(this.#database, sql => deletePresences(sql, open)).catch(this.#onError)
  }

  /**
   * Counts a stream.
   *
   * @returns takes the stream out of the counts (idempotent)
   * @throws `rate_limited` if the account or the network has too many streams
   */
  #count(accountId: string, address: string | undefined): () => void {
    const counted = [
      { key: accountId, limit: limits.streamsPerAccount, whose: 'This account' },
      ...(address === undefined
        ? []
        : [{ key: networkOf(address).narrow, limit: limits.streamsPerNetwork, whose: 'Your network' }]),
    ]
    const counts = this.#counts
    for (const { key, limit, whose } of counted)
      if ((counts.get(key) ?? 0) >= limit)
        throw new Problem('rate_limited', {
          detail: `${whose} already has ${limit} browsers that follow changes; wait ${RETRY_SECONDS} s.`,
          retryAfter: RETRY_SECONDS,
        })
    for (const { key } of counted) counts.set(key, (counts.get(key) ?? 0) + 1)
    return () => {
      for (const { key } of counted.splice(0)) {
        const left = counts.get(key)! - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    }
  }

  async #isAllowed({ id, spaces }: Stream, suspendedAt: Date | null): Promise<boolean> {
    const now = new Date()
    const followed = await listFollowed(this.#database, id, now, idleSince(now))
    const ids = new Set(followed.map(({ space_id }) => space_id))
    return (
      spaces.every(space => ids.has(space.id)) &&
      followed.every(row => row.suspended_at?.getTime() === suspendedAt?.getTime())
    )
  }

  #schedule(): void {
    if (this.#timer || this.#streams.size === 0) return
    this.#timer = setTimeout(() => {
      void this.#ask()
        .catch(this.#onError)
        .finally(() => {
          this.#timer = undefined
          this.#schedule()
        })
    }, ASK_EVERY).unref()
  }

  async #ask(): Promise<void> {
    const streams = [...this.#streams.values()]
    const now = new Date()
    if (performance.now() - this.#touchedAt > TOUCH_EVERY) {
      this.#touchedAt = performance.now()
      const ids = streams.map(({ id }) => id)
      await inTransaction(this.#database, async sql => {
        await deleteStalePresences(sql, new Date(now.getTime() - 2 * STALE_AFTER))
        await touchPresences(sql, ids, now, idleSince(now))
      })
    }
    const spaceIds = new Set(streams.flatMap(({ spaces }) => spaces.map(space => space.id)))
    const rows = await listPresences(this.#database, [...spaceIds], new Date(now.getTime() - STALE_AFTER))
    const present = new Set(rows.map(({ stream, space_id }) => `${stream} ${space_id}`))
    for (const { id, spaces, listener } of streams)
      if (!spaces.every(space => present.has(`${id} ${space.id}`))) listener.onEnd()
    this.#compare(
      spaceIds,
      Map.groupBy(rows, row => row.space_id),
    )
  }

  /** Tells the streams of the spaces in which other people are than before. */
  #compare(
    spaceIds: ReadonlySet<string>,
    rows: ReadonlyMap<string, readonly { account_id: string }[]>,
  ): void {
    for (const id of this.#known.keys()) if (!spaceIds.has(id)) this.#known.delete(id)
    for (const id of spaceIds) {
      const accounts = new Set(rows.get(id)?.map(({ account_id }) => account_id))
      const people = [...accounts].toSorted().join()
      if (this.#known.get(id) === people) continue
      this.#known.set(id, people)
      this.#tell([{ id }])
    }
  }

  /** Tells the streams of some spaces that people have come or gone. */
  #tell(spaces: readonly Pick<FollowedSpace, 'id'>[]): void {
    const ids = new Set(spaces.map(({ id }) => id))
    for (const stream of this.#streams.values())
      for (const { id } of stream.spaces) if (ids.has(id)) stream.listener.onPeople(id)
  }
}
