import { type Actor, callerOf } from '../../routers/api/actor.ts'
import type { Context, RateState } from '../../routers/api/context.ts'
import type { Identity } from '../../routers/api/identities.ts'

/** What a call reports while it runs. */
export interface CallState {
  /** The caller's rate limit; undefined if the call was not counted. */
  rate: RateState | undefined
}

/** Runs a call. @param counting the fields of the context that say how to count the call */
export type Run<T> = (actor: Actor | null, counting?: Pick<Context, 'counted' | 'isHolder'>) => Promise<T>

/**
 * Runs a read as the remembered holder of the caller's credential. At the same time, the database looks up the
 * current holder, which saves a round trip. If the holder has changed, `readEarly` discards the result of the read,
 * and runs the read again as the current holder.
 */
export const readEarly = async <T>(
  { known, confirmed }: Identity,
  run: Run<T>,
  state: CallState,
): Promise<T> => {
  if (!known) return run(await confirmed)
  const isHolder = confirmed.then(actor => isSameCaller(actor, known))
  // A call that ends before it is counted does not await `isHolder`, and an unhandled rejection would end the process.
  isHolder.catch(() => {})
  const early = Promise.allSettled([run(known, { isHolder })])
  const actor = await confirmed
  const [outcome] = await early
  if (actor !== known) {
    const counted = isSameCaller(actor, known) ? state.rate : undefined
    state.rate = undefined
    return run(actor, counted && { counted })
  }
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

const isSameCaller = (actor: Actor | null, known: Actor) =>
  actor !== null && callerOf(actor) === callerOf(known)
