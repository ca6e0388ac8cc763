import { setTimeout as wait } from 'node:timers/promises'
import { Away, Failure, NoAccess, Outdated } from '../failure.ts'
import type { Space } from '../service/space.ts'
import { type Pulled, pull } from './pull.ts'
import { type Planned, planPush, push } from './push.ts'
import type { SiteFolder } from './site-folder.ts'

/** What one round has done. */
export interface Round {
  pulled: Pulled
  pushed: Planned[]
  operation: string | null
  /** What stays as it is until the person does something. */
  left: { path: string; message: string }[]
}

/** A push that deletes more items than this, and more than half of all, is not made without being asked for. */
const MANY = 10

/** Pulls, and then pushes what can be pushed: conflicts, and files that the space would not take, are left as they are. */
export const syncOnce = async (open: () => Promise<SiteFolder>, space: Space): Promise<Round> => {
  let folder = await open()
  const pulled = await pull(folder, space)
  const { taken, merged, deleted, conflicts } = pulled
  if ([taken, merged, deleted, conflicts].some(({ length }) => length > 0)) folder = await open()
  const plan = await planPush(folder, space, true)
  const deletions = plan.changes.filter(({ change }) => change === 'deleted').length
  if (deletions > MANY && deletions > folder.memory.items.size / 2)
    throw new Failure(
      `Nothing was pushed, because ${deletions} items are gone from the folder. If you want to delete them in the space too, run space push.`,
    )
  // What was saved meanwhile is settled by the next round.
  const left = [...pulled.left.filter(({ isSaved }) => !isSaved), ...plan.left]
  if (plan.changes.length === 0) return { pulled, pushed: [], operation: null, left }
  const { operation } = await push(folder, space, plan)
  // Takes what the space stored differently.
  if ([...folder.memory.items.values()].some(({ version }) => version === '')) await pull(await open(), space)
  return { pulled, pushed: plan.changes, operation, left }
}

/** What {@link keepInSync} works with. */
export interface Sides {
  /** Runs a round. @throws {Failure} */
  round: () => Promise<Round>
  /** Resolves when the space has changed, or after a while. */
  waitForChange: (signal: AbortSignal) => Promise<boolean>
  /** Watches the folder: calls the function when it has changed. @returns ends the watch */
  watch: (onChange: () => void) => Promise<{ refresh: () => Promise<void>; close: () => void }>
  onRound: (round: Round) => void
  /** Called with what is wrong, once for each reason; with null when it is over. */
  onTrouble: (message: string | null) => void
  /** Ends everything after the current round. */
  signal: AbortSignal
}

/** Waits between attempts while the service is away, in ms. */
const DELAYS = [1_000, 2_000, 5_000, 15_000]

/** Wait before a round is repeated because something changed in the middle of it, in ms. */
const SOON = 200

/** A wait that ends earlier than this without a change was not one: a proxy or the service does not wait, in ms. */
const SHORT_WAIT = 1_000

/**
 * Runs a round whenever the folder or the space has changed, until the signal.
 *
 * @throws {NoAccess} if the credential has ended
 */
export const keepInSync = async (sides: Sides): Promise<void> => {
  const { signal, onTrouble } = sides
  const bell = new Bell()
  const ended = new AbortController()
  const isOver = AbortSignal.any([signal, ended.signal])
  isOver.addEventListener('abort', () => bell.ring())
  const pause = (ms: number) => wait(ms, undefined, { signal: isOver }).catch(() => {})
  const watch = await sides.watch(() => bell.ring())
  let trouble: string | null = null
  const report = (message: string | null) => {
    if (message !== trouble) onTrouble(message)
    trouble = message
  }

  let fault: unknown
  const listen = async () => {
    for (let failures = 0; !isOver.aborted; ) {
      const start = performance.now()
      try {
        const hasChanged = await sides.waitForChange(isOver)
        if (hasChanged || failures > 0) bell.ring()
        failures = 0
        if (!hasChanged && performance.now() - start < SHORT_WAIT) await pause(DELAYS[1]!)
      } catch (error) {
        if (isOver.aborted) return
        if (!(error instanceof Failure) || error instanceof NoAccess) throw error
        report(error.message)
        await pause(DELAYS[Math.min(failures++, DELAYS.length - 1)]!)
      }
    }
  }
  const work = async () => {
    for (let failures = 0; !isOver.aborted; ) {
      bell.quiet()
      try {
        await watch.refresh()
        const round = await sides.round()
        failures = 0
        report(null)
        sides.onRound(round)
        // What was saved in the middle of the round.
        if (round.pulled.left.some(({ isSaved }) => isSaved)) bell.ring()
      } catch (error) {
        if (error instanceof Outdated) {
          await pause(SOON)
          continue
        }
        if (!(error instanceof Failure) || error instanceof NoAccess) throw error
        report(error.message)
        if (error instanceof Away) {
          await pause(DELAYS[Math.min(failures++, DELAYS.length - 1)]!)
          continue
        }
      }
      await bell.rung()
    }
  }
  const endWith = (error: unknown) => {
    fault ??= error
    ended.abort()
  }
  await Promise.all([listen().catch(endWith), work().catch(endWith)])
  watch.close()
  if (fault !== undefined) throw fault
}

/** Remembers that something has happened, until someone looks. */
class Bell {
  #isRung = false
  #answer: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#answer?.()
  }

  /** Forgets what has happened so far. */
  quiet(): void {
    this.#isRung = false
  }

  /** Resolves when something has happened since {@link quiet}. */
  rung(): Promise<void> {
    return new Promise(resolve => {
      this.#answer = resolve
      if (this.#isRung) resolve()
    })
  }
}
