import type { Core } from '../routers/api/context.ts'
import { webhookDispatcher } from '../routers/spaces/webhooks/deliver.ts'
import { type OnStop, repeat } from './lifecycle.ts'

/** Interval at which the process looks for changes to deliver, in ms. */
const EVERY = 1_000

/** The part of the time that looking for changes may take, so that very many webhooks slow down only themselves. */
const MAX_SHARE = 0.05

/** Delivers changes of spaces to webhooks until the service stops. */
export const deliverWebhooks = (core: Core, onStop: OnStop): void => {
  const fail = core.onFailure('Could not deliver changes to webhooks')
  const warn = (err: unknown) => {
    // The outage itself is logged once.
    if (core.health.isDatabaseUp) fail(err)
  }
  const dispatcher = webhookDispatcher(core, warn)
  let next = 0
  const work = repeat(
    EVERY,
    async () => {
      const started = performance.now()
      if (started >= next) {
        await dispatcher.wake()
        const ended = performance.now()
        next = ended + (ended - started) / MAX_SHARE
      }
      await dispatcher.send()
    },
    warn,
  )
  onStop(async () => {
    await work.stop()
    await dispatcher.stop()
  })
}
