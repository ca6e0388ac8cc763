import type { Database } from './database.ts'
import type { Member as QueuedWrite } from './queue.ts'
import { inTransaction, isRetryable, type Transaction } from './transaction.ts'

/**
 * Maximum number of writes in a transaction, and the time in ms for which a transaction accepts further
 * writes after its first write has run.
 */
const MAX_WRITES = 32
const MAX_DURATION = 500

type Work<T> = (tx: Transaction) => Promise<T>
type Member = QueuedWrite<Work<unknown>>

/**
 * Runs a write, and the writes that are queued after it, in one transaction. A write that fails is undone and rejects
 * without affecting the others. No write is confirmed before the commit. If the transaction itself fails, all of its
 * writes fail.
 *
 * @param own the first write
 * @param take returns the next waiting write
 */
export const commitTogether = async <T>(
  database: Database,
  own: Work<T>,
  take: () => Member | undefined,
): Promise<T> => {
  const members: Member[] = []
  let deadline = Number.POSITIVE_INFINITY
  const next = (index: number): Member | undefined => {
    if (index < members.length) return members[index]
    if (index + 1 >= MAX_WRITES || performance.now() > deadline) return undefined
    const member = take()
    if (member) members.push(member)
    return member
  }

  /** Runs all writes in one attempt of the transaction. If it is retried, the same writes run again. */
  const runAll = async (tx: Transaction): Promise<PromiseSettledResult<unknown>[]> => {
    // Don't include writes that arrive meanwhile: this write has no savepoint, so its failure would also undo them.
    if (next(0) === undefined) return [{ status: 'fulfilled', value: await own(tx) }]
    const writes = new SharedTransaction(tx)
    await writes.run(own)
    deadline = performance.now() + MAX_DURATION
    for (let index = 0; ; index += 1) {
      const member = next(index)
      if (!member) return writes.end()
      await writes.run(member.work)
    }
  }

  try {
    const [first, ...others] = await inTransaction(database, runAll)
    for (const [index, outcome] of others.entries()) members[index]!.settle(outcome)
    if (first!.status === 'rejected') throw first!.reason
    return first!.value as T
  } catch (error) {
    // Some of these writes may be settled already; settling them again has no effect.
    for (const member of members) member.settle({ status: 'rejected', reason: error })
    throw error
  }
}

/** A write whose last statements have been sent but not yet answered. */
interface Unconfirmed {
  value: unknown
  /** Rejects when one of the statements fails. */
  settled: Promise<void>
}

/**
 * Runs the writes that share a transaction, one after the other. The last statements of a write are sent together with
 * the first statements of the next write. For example, if each write reads once and then changes something, the change
 * of one write and the read of the next write take a single round trip.
 */
class SharedTransaction {
  readonly #tx: Transaction
  readonly #outcomes: PromiseSettledResult<unknown>[] = []
  #unconfirmed: Unconfirmed | undefined

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /**
   * Runs a write after a savepoint. If it fails, only the write is undone.
   *
   * @throws errors that make the whole transaction fail or be retried
   */
  async run(work: Work<unknown>): Promise<void> {
    const previous = this.#unconfirmed
    const saved = this.#send(previous ? NEXT : SAVE)
    const outcome = await settle(work(this.#tx))
    const settled = this.#tx.settle()
    settled.catch(() => {})
    // If the previous write turns out to have failed, this one ran in a failed transaction. Run this write again.
    if (previous && !(await this.#confirm(previous))) return this.run(work)
    // Make sure that the savepoint exists; otherwise undoing this write would undo the previous one.
    await saved
    if (outcome.status === 'fulfilled') this.#unconfirmed = { value: outcome.value, settled }
    else await this.#undo(outcome.reason)
  }

  /** Ends the last write and returns the outcomes of all writes, in order. */
  async end(): Promise<PromiseSettledResult<unknown>[]> {
    if (this.#unconfirmed) await this.#confirm(this.#unconfirmed)
    return this.#outcomes
  }

  /**
   * Waits for the last statements of a write.
   *
   * @returns whether they succeeded; otherwise the write has been undone
   */
  async #confirm({ value, settled }: Unconfirmed): Promise<boolean> {
    this.#unconfirmed = undefined
    const result = await settle(settled)
    if (result.status === 'fulfilled') this.#outcomes.push({ status: 'fulfilled', value })
    else await this.#undo(result.reason)
    return result.status === 'fulfilled'
  }

  async #undo(reason: unknown): Promise<void> {
    await this.#tx.responded()
    if (isRetryable(reason)) throw reason
    void this.#send(UNDO)
    this.#outcomes.push({ status: 'rejected', reason })
  }

  /** Sends a command together with the statements that follow it. If the command fails, they fail too. */
  #send(command: string): Promise<unknown> {
    const sent = this.#tx.command(command)
    sent.catch(() => {})
    return sent
  }
}

const SAVE = 'savepoint write'
const NEXT = 'release savepoint write; savepoint write'
const UNDO = 'rollback to savepoint write; release savepoint write'

const settle = async <T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> =>
  (await Promise.allSettled([promise]))[0]
