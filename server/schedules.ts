import type { Core } from '../routers/api/context.ts'
import { scheduleRunner } from '../routers/content/schedules/carry-out.ts'
import { type OnStop, repeat } from './lifecycle.ts'

/** Interval at which the process looks for scheduled saves and deletions that are due, in ms. */
const EVERY = 5_000

/** Carries out what people have scheduled, until the service stops. */
export const carryOutWhenDue = (core: Core, onStop: OnStop): void => {
  const fail = core.onFailure('Could not carry out what was scheduled')
  const warn = (err: unknown) => {
    // The outage itself is logged once.
    if (core.health.isDatabaseUp) fail(err)
  }
  const runner = scheduleRunner(core, warn)
  const work = repeat(EVERY, runner.start, warn)
  onStop(async () => {
    await work.stop()
    await runner.ended()
  })
}
