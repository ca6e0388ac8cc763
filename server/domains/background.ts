import type { Core } from '../../routers/api/context.ts'
import { checkDueDomains } from '../../routers/spaces/domains/check.ts'
import { type OnStop, repeat } from '../lifecycle.ts'

/** Interval at which the names are read again if another process has changed them, in ms. */
const REFRESH_EVERY = 2_000

/** Interval at which the process looks for domains to check, in ms. */
const CHECK_EVERY = 3_000

/** Keeps the verified domains in memory current, and checks domains. Waits until the names have been read. */
export const watchDomains = async (core: Core, onStop: OnStop): Promise<void> => {
  const warn = (message: string) => {
    const fail = core.onFailure(message)
    return (error: unknown) => {
      // The outage itself is logged once. A warning every few seconds would only hide it.
      if (core.health.isDatabaseUp) fail(error)
    }
  }
  await core.verifiedDomains.refresh()
  const work = [
    repeat(REFRESH_EVERY, () => core.verifiedDomains.refresh(), warn('Could not read the domains of spaces')),
    repeat(CHECK_EVERY, () => checkDueDomains(core), warn('Could not check domains of spaces')),
  ]
  onStop(() => Promise.all(work.map(({ stop }) => stop())))
}
