import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { OpenConnections, watchDatabase } from '../../db/health.ts'
import { clientConfig } from '../../db/orm.ts'

/** Longer than the time after which a silent server counts as down, and than the timeout of one probe, in ms. */
const SILENCE = 1_500
const PROBE = 800

const block = (duration: number) => {
  const end = performance.now() + duration
  while (performance.now() < end);
}

test('a database does not count as down when the process itself was late', async () => {
  const reasons: unknown[] = []
  const health = watchDatabase(
    clientConfig({ url: inject('database').url }),
    new OpenConnections(),
    (_isUp, reason) => reasons.push(reason),
  )
  onTestFinished(() => health.stop())
  for (const phase of [500, 100]) {
    await sleep(phase)
    // The pause between two probes ends during this block, so the next probe waits for its response in the second one.
    block(SILENCE)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    // This timer ends the next wait for sockets. All due timers, such as a probe's timeout, run before any socket.
    setTimeout(() => {}, 1)
    await nextTurn()
    block(PROBE)
    await nextTurn()
  }
  await sleep(100)
  expect(reasons).toEqual([])
})
