import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { clientConfig } from '../../db/database.ts'
import { OpenConnections, watchDatabase } from '../../db/watch-database.ts'

/** Longer than the time after which a silent server counts as down, in ms. */
const SILENCE = 1_500
/** Longer than the timeout of one probe, in ms. */
const PROBE = 800

const block = (duration: number) => {
  const end = performance.now() + duration
  while (performance.now() < end);
}

test('the database does not count as down if the process was too busy to read its response', async () => {
  const reasons: unknown[] = []
  const health = watchDatabase(
    clientConfig({ url: inject('database').url }),
    new OpenConnections(),
    (_isUp, reason) => reasons.push(reason),
  )
  onTestFinished(() => health.stop())
  for (const phase of [500, 100]) {
    await sleep(phase)
    // This call blocks the event loop. Meanwhile, the pause between two probes ends. The next probe starts when the
    // event loop runs again. The second call of `block` then keeps this process from reading the response to the probe.
    block(SILENCE)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    // The event loop waits until a socket has data or a timer is due. This timer ends the next wait. Node then runs
    // all due timers, such as the timeout of a probe, before it reads any socket.
    setTimeout(() => {}, 1)
    await nextTurn()
    block(PROBE)
    await nextTurn()
  }
  await sleep(100)
  expect(reasons).toEqual([])
})
