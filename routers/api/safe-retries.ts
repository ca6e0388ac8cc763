import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/database.ts'
import { violatedConstraint } from '../../db/errors.ts'
import { callerRefusal } from '../../db/queries/caller-checks.ts'
import {
  claimAnswer,
  findKeptAnswer,
  insertAnswer,
  insertAnswerIfNone,
  UNCLAIMED,
} from '../../db/queries/kept-answers.ts'
import {
  type CallerCheck,
  inTransaction,
  sendLast,
  sendLastOf,
  type Transaction,
} from '../../db/transaction.ts'
import { type Actor, callerOf } from './actor.ts'
import type { Context, Core, KeyedCall } from './context.ts'
import { Problem, problemOf } from './problem.ts'
import { limits } from './rules.ts'

/** Pause in ms before a call looks again whether another process has answered an earlier call with the same key. */
const PAUSE = 100

/** Statuses of answers that are not final: the same call can have another answer later. */
const isFinal = (status: number): boolean => status < 500 && ![401, 403, 429].includes(status)

/** The first answer to a call with an `Idempotency-Key`. A call that is repeated returns it instead of its output. */
export class KeptAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string

  constructor({ status, headers, body }: Pick<KeptAnswer, 'status' | 'headers' | 'body'>) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** Keeps the answers to calls with an `Idempotency-Key`, and lets calls with the same key wait for each other. */
export class SafeRetries {
  readonly #core: Core
  /** The calls of this process that are running, by key. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(core: Core) {
    this.#core = core
  }

  /** @param answerOf converts the output of the call to its answer */
  call(actor: Actor, answerOf: (output: unknown) => KeptAnswer): RepeatableCall {
    return new RepeatableCall(this.#core, this.#running, actor, answerOf)
  }
}

/**
 * A call with an `Idempotency-Key`. Its answer is kept by the transaction that has its effect, so that both exist or
 * neither does. The transaction first claims the key. The claim ends with the transaction, so a key is free again when
 * its process dies.
 */
export class RepeatableCall implements KeyedCall {
  readonly #core: Core
  readonly #running: Map<string, Promise<void>>
  readonly #actor: Actor
  readonly #answerOf: (output: unknown) => KeptAnswer
  readonly #deadline: number
  #digest: Buffer = Buffer.alloc(0)
  #request: Buffer = Buffer.alloc(0)
  #end: (() => void) | undefined

  constructor(
    core: Core,
    running: Map<string, Promise<void>>,
    actor: Actor,
    answerOf: (output: unknown) => KeptAnswer,
  ) {
    this.#core = core
    this.#running = running
    this.#actor = actor
    this.#answerOf = answerOf
    this.#deadline = performance.now() + core.retryPatience
  }

  /**
   * Begins the call once its request has been read. Waits for an earlier call with the same key.
   *
   * @param request the digest of the request
   * @returns the answer to the earlier call; undefined if there is none, so that this call runs
   * @throws `idempotency_key_reused`, `idempotency_in_progress`
   */
  async begin(key: string, request: Buffer): Promise<KeptAnswer | undefined> {
    this.#digest = hash('sha256', `${callerOf(this.#actor)} ${key}`, 'buffer')
    this.#request = request
    const name = this.#digest.toString('base64')
    for (let earlier = this.#running.get(name); earlier; earlier = this.#running.get(name))
      await this.#inTime(earlier)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(name, promise)
    this.#end = () => {
      this.#running.delete(name)
      resolve()
    }
    return this.#find()
  }

  /** Ends the call, so that others with the same key go on. */
  end(): void {
    this.#end?.()
  }

  async #inTime(earlier: Promise<void>): Promise<void> {
    const stop = new AbortController()
    const late = sleep(Math.max(0, this.#deadline - performance.now()), true, { signal: stop.signal }).catch(
      () => false,
    )
    const isLate = await Promise.race([earlier, late])
    stop.abort()
    if (isLate) throw new Problem('idempotency_in_progress')
  }

  async #find(): Promise<KeptAnswer | undefined> {
    const row = await findKeptAnswer(this.#core.database, this.#digest)
    if (!row) return undefined
    if (!this.#request.equals(row.request)) throw new Problem('idempotency_key_reused')
    return new KeptAnswer(JSON.parse(row.answer) as KeptAnswer)
  }

  readonly claim: CallerCheck = sql => claimAnswer(sql, this.#digest, String(this.#digest.readBigInt64BE()))

  async inTurn<T>(run: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await run()
      } catch (error) {
        const isTaken = callerRefusal(error)?.code === UNCLAIMED
        if (!isTaken || performance.now() > this.#deadline || (await this.#find())) throw error
        await sleep(PAUSE)
      }
  }

  keep(sql: Sql, output: unknown): Promise<unknown> {
    return insertAnswer(sql, this.#row(this.#answerOf(output)))
  }

  /**
   * Keeps the answer to a call that failed without an effect, if the answer is final.
   *
   * @param answer the answer with this error
   * @returns the answer to send instead, if another process has answered the same call in the meantime
   */
  async keepFailure(error: unknown, answer: () => KeptAnswer): Promise<KeptAnswer | undefined> {
    const { problem } = problemOf(error)
    if (!this.#end || problem === 'idempotency_key_reused') return undefined
    if (problem === UNCLAIMED) return this.#find()
    const refusal = answer()
    if (!isFinal(refusal.status) || refusal.body.length > limits.keptRefusal) return undefined
    try {
      const kept = await inTransaction(this.#core.database, async sql =>
        sendLastOf(sql, () => insertAnswerIfNone(sql, this.#row(refusal))),
      )
      return (await kept.result).length > 0 ? undefined : this.#find()
    } catch (failure) {
      // The key or token has been deleted, and its answers with it.
      if (violatedConstraint(failure)) return undefined
      throw failure
    }
  }

  #row(answer: KeptAnswer) {
    const actor = this.#actor
    return {
      digest: this.#digest,
      keyId: actor.kind === 'space_key' ? actor.keyId : null,
      tokenId: actor.kind === 'user_token' ? actor.tokenId : null,
      request: this.#request,
      answer: JSON.stringify(answer),
      now: new Date(),
    }
  }
}

/**
 * Keeps the answer to a call with an `Idempotency-Key`. Call it in the transaction that has the effect of the call, as
 * one of its last statements.
 *
 * @param output what the procedure returns
 */
export const keepAnswer = (
  { keyed }: Pick<Context, 'keyed'>,
  sql: Transaction,
  output: () => unknown,
): void => {
  if (keyed) sendLast(sql, () => keyed.keep(sql, output()))
}
