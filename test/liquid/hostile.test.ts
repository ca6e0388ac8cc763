import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRenderer } from '../../routers/liquid/renderer.ts'
import { HOSTILE } from './hostile-templates.ts'
import { htmlOf, renderIn } from './site.ts'

/** Time within which any template must have a result, in ms. */
const RESULT_MS = 600

const renderer = startRenderer({ processes: 1 })
beforeAll(async () => {
  await renderIn(renderer, 'up')
})
afterAll(() => renderer.stop())

describe('a hostile template', () => {
  it.each(HOSTILE)('gets a result in time and affects no other page: $attempt', async ({ html, trial }) => {
    const first = await timed(() => renderIn(renderer, html, trial))
    // Other work on the machine can delay the first attempt; a template that is too slow is so twice.
    const took =
      first.took < RESULT_MS ? first.took : (await timed(() => renderIn(renderer, html, trial))).took
    expect(took).toBeLessThan(RESULT_MS)
    expect(JSON.stringify(first.result)).not.toMatch(/native code|\[Function|root:x|ENOENT/)
    expect(htmlOf(await renderIn(renderer, 'fine in {{ space.name }}'))).toBe('fine in Salt &amp; Pepper')
  })
})

async function timed<Result>(task: () => Promise<Result>): Promise<{ result: Result; took: number }> {
  const started = performance.now()
  const result = await task()
  return { result, took: performance.now() - started }
}
