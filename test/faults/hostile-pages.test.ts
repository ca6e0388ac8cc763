import { describe, expect, it, vi } from 'vitest'
import { RendererBusyError, type RenderRequest } from '../../routers/api/renderer.ts'
import { residentMiB } from '../liquid/process-info.ts'
import { htmlOf, renderIn, requestFor } from '../liquid/site.ts'
import { useRenderer } from '../liquid/use-renderer.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'

/** Long timeout: hostile pages run until they reach a limit, which takes long on a busy machine. */
const BUSY = { timeout: 300_000 }

const test = useRenderer()

/**
 * Returns how long `task` takes, in ms. Tests compare such times only with each other, because a busy machine delays
 * all of them.
 */
async function timeOf(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await task()
  return performance.now() - started
}

/**
 * Returns how long a page takes, in ms, that runs until it reaches the limit. Tests measure this before and after what
 * they compare with it, and use the longer time, because the load of the machine can grow meanwhile.
 */
const timeOfEndless = () => timeOf(() => renderIn(test.renderer, ENDLESS))

/** Returns the median time in ms to open an ordinary page while hostile pages are opened continuously. */
async function timeBeside(hostile: RenderRequest[], ordinary: () => RenderRequest): Promise<number> {
  const over = new AbortController()
  const attack = Promise.all(
    hostile.map(async request => {
      while (!over.signal.aborted)
        await test.renderer.render(request).then(() => new Promise(resolve => setTimeout(resolve, 5)))
    }),
  )
  const times: number[] = []
  for (let at = 0; at < 20; at += 1) {
    times.push(await timeOf(async () => expect(htmlOf(await test.renderer.render(ordinary()))).toBe('fine')))
  }
  over.abort()
  await attack
  return times.toSorted((a, b) => a - b)[10]!
}

describe('hostile pages', () => {
  it('do not delay other pages once each hostile page has exceeded the time limit twice', BUSY, async () => {
    await test.start(2)
    const hostile = Array.from({ length: 3 }, () => requestFor(ENDLESS))
    const before = await timeOfEndless()
    for (const request of [...hostile, ...hostile]) await test.renderer.render(request)
    const fine = await timeBeside(hostile, () => requestFor('fine'))
    expect(fine).toBeLessThan(Math.max(before, await timeOfEndless()) / 2)
  })

  it('do not delay other pages of the same space', BUSY, async () => {
    await test.start(2)
    const before = await timeOfEndless()
    const hostile = Array.from({ length: 3 }, () => requestFor(ENDLESS, {}, 'hostile'))
    const fine = await timeBeside(hostile, () => requestFor('fine', {}, 'hostile'))
    expect(fine).toBeLessThan(Math.max(before, await timeOfEndless()) / 2)
  })

  it('do not delay another page, even if many readers open them at once', BUSY, async () => {
    await test.start(2)
    const before = await timeOfEndless()
    const hostile = requestFor(ENDLESS)
    const flood = Promise.all(Array.from({ length: 300 }, () => test.renderer.render(hostile)))
    const fine = await timeOf(async () => expect(htmlOf(await renderIn(test.renderer, 'fine'))).toBe('fine'))
    for (const result of await flood) expect(result).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    // If each of the 300 requests were evaluated, the two workers would need 150 times as long as for one.
    expect(fine).toBeLessThan(12 * Math.max(before, await timeOfEndless()))
  })

  it('are evaluated again after their space has changed', async () => {
    await test.start(1)
    const html = `{% if data.n == 1 %}fixed{% else %}${ENDLESS}{% endif %}`
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await test.renderer.render(requestFor(html, { data: { n: 0 } }, 'same'))).toMatchObject({
        ok: false,
      })
    }
    expect(htmlOf(await test.renderer.render(requestFor(html, { data: { n: 1 } }, 'same')))).toBe('fixed')
  })

  it('are rejected, like all other pages, once the limit on open jobs is reached', async () => {
    await test.start(1)
    const outcomes = await Promise.all(
      Array.from({ length: 1300 }, () =>
        renderIn(test.renderer, 'x').then(
          () => 'rendered',
          (error: unknown) => error,
        ),
      ),
    )
    const rejected = outcomes.filter(outcome => outcome instanceof RendererBusyError)
    expect(rejected).toHaveLength(300)
    expect(outcomes.filter(outcome => outcome === 'rendered')).toHaveLength(1000)
  })

  it('do not increase the memory of workers permanently', BUSY, async () => {
    await test.start(1)
    const largest = () => Math.max(...test.workers().map(residentMiB))
    const fresh = largest()
    const growing = `{% assign a = "x,y" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(19)}{{ a.size }}`
    for (let at = 0; at < 20; at += 1) await renderIn(test.renderer, growing + at)
    // Within seconds, idle workers return memory to the system or are replaced.
    await vi.waitFor(() => expect(largest()).toBeLessThan(1.3 * fresh), { timeout: 120_000, interval: 250 })
  })
})
