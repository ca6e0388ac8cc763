import type { Sql } from '../../db/database.ts'
import { revisionsOf } from '../../db/queries/spaces.ts'
import { Problem } from './problem.ts'
import { limits } from './rules.ts'

/** Time in ms between two queries for the writes of other processes. */
const ASK_EVERY = 1_000

/** Seconds after which an account with too many watchers should retry. */
const RETRY_SECONDS = 30

/** Waits for changes of a space. Both functions must return quickly and not throw. */
export interface Watcher {
  accountId: string
  /**
   * Called when the space has a new revision, with null when the space was deleted. May also be called with a revision
   * that the caller already knows.
   */
  onRevision: (revision: string | null) => void
  /** Called when the process stops: end the request now, so that the client can go on at another process. */
  onStop: () => void
}

interface WatchedSpace {
  /** The latest revision that this process knows of; undefined until it has heard of one. */
  revision: string | null | undefined
  watchers: Set<Watcher>
}

/**
 * Tells requests that wait for it when the content of a space changes. A write of this process is known at its commit.
 * One query a second for the revisions of all watched spaces finds the writes of other processes; while nobody watches,
 * no query runs.
 */
export class RevisionWatch {
  readonly #sql: Sql
  readonly #onError: (error: unknown) => void
  readonly #spaces = new Map<string, WatchedSpace>()
  /** Number of watchers by account. */
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** @param onError called if a query fails; the next one follows a second later */
  constructor(sql: Sql, onError: (error: unknown) => void) {
    this.#sql = sql
    this.#onError = onError
  }

  /** Whether a query for the writes of other processes follows. */
  get isAsking(): boolean {
    return this.#timer !== undefined
  }

  /**
   * Waits until a space has another revision than the one that the caller knows. Returns at once if it already has.
   *
   * @param after the revision that the caller knows
   * @param caller `accountId`: the account that the watcher counts for; `signal`: aborted when the caller has waited
   * long enough or has left
   * @returns the current revision; `after` if the signal was aborted first or the process stops; null if the space no
   * longer exists
   * @throws `rate_limited` if the account has too many watchers
   */
  async waitForChange(
    spaceId: string,
    after: string,
    { accountId, signal }: { accountId: string; signal: AbortSignal },
  ): Promise<string | null> {
    const ended = Promise.withResolvers<string | null>()
    const giveUp = () => ended.resolve(after)
    const unwatch = this.watch(spaceId, {
      accountId,
      onRevision: revision => {
        if (isNewer(revision, after)) ended.resolve(revision)
      },
      onStop: giveUp,
    })
    signal.addEventListener('abort', giveUp)
    try {
      // Read only now, so that no change is missed between this read and the begin of the watch.
      const [current] = await revisionsOf(this.#sql, [spaceId])
      if (current?.revision !== after) return current?.revision ?? null
      if (signal.aborted) return after
      return await ended.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
      unwatch()
    }
  }

  /**
   * Calls the functions of a watcher until it is removed. Does not read the current revision: read what the watcher
   * shows after this call, so that no change is missed in between.
   *
   * @returns removes the watcher (idempotent)
   * @throws `rate_limited` if the account has too many watchers
   */
  watch(spaceId: string, watcher: Watcher): () => void {
    const { accountId } = watcher
    const count = this.#counts.get(accountId) ?? 0
    if (count >= limits.watchersPerAccount)
      throw new Problem('rate_limited', {
        detail: `This account already has ${limits.watchersPerAccount} requests that wait for changes; wait ${RETRY_SECONDS} s.`,
        retryAfter: RETRY_SECONDS,
      })
    this.#counts.set(accountId, count + 1)
    const space: WatchedSpace = this.#spaces.get(spaceId) ?? { revision: undefined, watchers: new Set() }
    this.#spaces.set(spaceId, space)
    space.watchers.add(watcher)
    if (this.#isStopped) watcher.onStop()
    this.#schedule()
    return () => {
      if (!space.watchers.delete(watcher)) return
      const left = this.#counts.get(accountId)! - 1
      if (left > 0) this.#counts.set(accountId, left)
      else this.#counts.delete(accountId)
      if (space.watchers.size === 0) this.#spaces.delete(spaceId)
    }
  }

  /** Call it after the commit of each write, with the revision of the write. */
  note(spaceId: string, revision: string): void {
    const space = this.#spaces.get(spaceId)
    if (space) tell(space, revision)
  }

  /** Ends all waiting. Watchers that are added later end at once. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const { watchers } of this.#spaces.values()) for (const watcher of watchers) watcher.onStop()
  }

  /** Asks for revisions in a second, and again and again while someone watches. */
  #schedule(): void {
    if (this.#timer || this.#isStopped || this.#spaces.size === 0) return
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
    const asked = [...this.#spaces]
    if (asked.length === 0) return
    const rows = await revisionsOf(
      this.#sql,
      asked.map(([id]) => id),
    )
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
    for (const [id, space] of asked) tell(space, revisions.get(id) ?? null)
  }
}

/** Tells the watchers of a space about a revision, unless the process knows of the same or a later one. */
const tell = (space: WatchedSpace, revision: string | null): void => {
  if (space.revision !== undefined && !isNewer(revision, space.revision)) return
  space.revision = revision
  for (const watcher of space.watchers) watcher.onRevision(revision)
}

/** Whether a revision is later than another one. The deletion of the space, null, is the last. */
const isNewer = (revision: string | null, than: string | null): boolean =>
  than !== null && (revision === null || BigInt(revision) > BigInt(than))
