import type { Identity } from '../../routers/access/identities.ts'
import { type Actor, callerOf } from '../../routers/core/actor.ts'
import type { RateState } from '../../routers/core/context.ts'

/** What a call reports while it runs. */
export interface CallState {
  /** The caller's rate limit; undefined if the call was not counted. */
  rate: RateState | undefined
  /** Entity tag of a read, without quotes. */
  tag: string | undefined
}

/** Runs a call. @param counted the rate limit's state if this call has been counted already */
export type Run<T> = (actor: Actor | null, counted?: RateState) => Promise<T>

/**
 * Runs a read as the remembered holder of its credential while the database confirms that holder, which saves a round
 * trip. If the holder has changed, the outcome is discarded, and the read runs again as the current holder.
 */
export const readEarly = async <T>(
  { known, confirmed }: Identity,
  run: Run<T>,
  state: CallState,
): Promise<T> => {
  if (!known) return run(await confirmed)
  const early = Promise.allSettled([run(known)])
  const actor = await confirmed
  const [outcome] = await early
  if (actor !== known) {
    const counted = actor && callerOf(actor) === callerOf(known) ? state.rate : undefined
    Object.assign(state, { rate: undefined, tag: undefined } satisfies CallState)
    return run(actor, counted)
  }
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
