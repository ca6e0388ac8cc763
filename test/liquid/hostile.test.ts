import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRenderer } from '../../routers/liquid/renderer.ts'
import { HOSTILE } from './hostile-templates.ts'
import { htmlOf, renderIn } from './site.ts'

/** The bar for an answer to whatever a stranger writes, in ms. */
const ANSWERED_MS = 600

const renderer = startRenderer({ processes: 1 })
beforeAll(async () => {
  await renderIn(renderer, 'up')
})
afterAll(() => renderer.stop())

describe('a hostile template', () => {
  it.each(HOSTILE)('is answered in time and harms nobody: $attempt', async ({ html, trial }) => {
    const first = await timed(() => renderIn(renderer, html, trial))
    // The machine may be busy with something else for a moment; a template that really is too slow is so twice.
    const took =
      first.took < ANSWERED_MS ? first.took : (await timed(() => renderIn(renderer, html, trial))).took
    expect(took).toBeLessThan(ANSWERED_MS)
    expect(JSON.stringify(first.result)).not.toMatch(/native code|\[Function|root:x|ENOENT/)
    expect(htmlOf(await renderIn(renderer, 'fine in {{ space.name }}'))).toBe('fine in Salt &amp; Pepper')
  })
})

async function timed<Result>(task: () => Promise<Result>): Promise<{ result: Result; took: number }> {
  const started = performance.now()
  const result = await task()
  return { result, took: performance.now() - started }
}
