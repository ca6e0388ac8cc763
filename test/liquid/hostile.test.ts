import { beforeAll, describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { HOSTILE } from './hostile-templates.ts'
import { childrenOf, threadTimeOf } from './process-info.ts'
import { htmlOf, renderIn } from './site.ts'

/**
 * Maximum CPU time that a template may use in one worker, in ms. This is the sum for three phases, each of which is
 * tried at most twice.
 */
const MOST_MS = 1_500

/**
 * Measures the CPU time that the workers use. Reads it often, because the time of a worker that is killed can't be read
 * afterwards.
 *
 * @returns `stop`, which returns the time of the worker that used most, in ms
 */
const startMeter = () => {
  const before = new Map(childrenOf(process.pid).map(pid => [pid, threadTimeOf(pid)]))
  let most = 0
  const read = () => {
    for (const [pid, start] of before) most = Math.max(most, threadTimeOf(pid) - start)
  }
  const timer = setInterval(read, 10)
  return {
    stop: () => {
      clearInterval(timer)
      read()
      return most
    },
  }
}

const renderer = sharedRenderer()
beforeAll(async () => {
  await renderIn(renderer, 'up')
})

describe('a hostile template', () => {
  it.each(HOSTILE)('is limited and affects no other page: $attempt', async ({ html, trial }) => {
    const meter = startMeter()
    const result = await renderIn(renderer, html, trial)
    expect(meter.stop()).toBeLessThan(MOST_MS)
    expect(JSON.stringify(result)).not.toMatch(/native code|\[Function|root:x|ENOENT/)
    expect(htmlOf(await renderIn(renderer, 'fine in {{ space.name }}'))).toBe('fine in Salt &amp; Pepper')
  })
})
