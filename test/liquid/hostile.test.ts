import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRenderer } from '../../routers/liquid/renderer.ts'
import { HOSTILE } from './hostile-templates.ts'
import { childrenOf, threadTimeOf } from './process-info.ts'
import { htmlOf, renderIn } from './site.ts'

/**
 * Maximum CPU time that a template may use in one worker, in ms. This is the sum for three phases, each of which is
 * tried at most twice.
 */
const MOST_MS = 1_500

const renderer = startRenderer({ processes: 1 })
beforeAll(async () => {
  await renderIn(renderer, 'up')
})
afterAll(() => renderer.stop())

describe('a hostile template', () => {
  it.each(HOSTILE)('is limited and affects no other page: $attempt', async ({ html, trial }) => {
    const before = new Map(childrenOf(process.pid).map(pid => [pid, threadTimeOf(pid)]))
    const result = await renderIn(renderer, html, trial)
    const spent = childrenOf(process.pid).map(
      pid => threadTimeOf(pid) - (before.get(pid) ?? Number.POSITIVE_INFINITY),
    )
    expect(Math.max(0, ...spent)).toBeLessThan(MOST_MS)
    expect(JSON.stringify(result)).not.toMatch(/native code|\[Function|root:x|ENOENT/)
    expect(htmlOf(await renderIn(renderer, 'fine in {{ space.name }}'))).toBe('fine in Salt &amp; Pepper')
  })
})
