import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Guard, TimeoutError } from '../../routers/rendering/engine/guard.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'
import { startBusyLoops } from '../liquid/busy-loops.ts'
import { costlyPages } from '../liquid/costly-pages.ts'
import { crowd } from '../liquid/crowds.ts'
import { renderIn, requestFor } from '../liquid/site.ts'
import { slowness } from './support/slowness.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'
const READERS = 8

/**
 * Long timeout, because everything takes longer while two busy loops run. The tests themselves do not depend on time.
 */
const LONG = { timeout: 300_000 }

// Too little space to cache any document, so that each request is evaluated.
const renderer = startRenderer({ processes: 2, cachedBytes: 1 })
let stopBusyLoops = () => {}
beforeAll(async () => {
  stopBusyLoops = await startBusyLoops(2)
})
afterAll(async () => {
  stopBusyLoops()
  await renderer.stop()
})

describe('on a busy machine', () => {
  it.each(costlyPages(slowness()))('$name always opens', LONG, async ({ html, trial }) => {
    const requests = Array.from({ length: READERS }, (_, reader) => requestFor(html(reader), trial))
    const outcomes = await Promise.all(requests.map(request => renderer.render(request)))
    expect(outcomes.map(({ ok }) => ok)).toEqual(requests.map(() => true))
  })

  it.each([
    { pages: 40, spaces: 1 },
    { pages: 40, spaces: 40 },
  ])('$pages pages of $spaces spaces can be opened together, twice in a row', LONG, async size => {
    const requests = crowd(size)
    for (let round = 0; round < 2; round += 1) {
      const outcomes = await Promise.all(requests.map(request => renderer.render(request)))
      expect(outcomes.map(({ ok }) => ok)).toEqual(requests.map(() => true))
    }
  })

  it('an endless page is stopped', LONG, async () => {
    const outcome = await renderIn(renderer, ENDLESS)
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'timeout' } })
  })

  it('a large body is analyzed completely and found to be valid', LONG, async () => {
    const html = '{% render "a" %}{{ x }}'.repeat(10_000)
    const analyses = await Promise.all(
      Array.from({ length: 4 }, (_, at) => renderer.analyze(`${html}${at}`, 'account')),
    )
    expect(analyses).toEqual(analyses.map(() => ({ references: ['a'], parses: true, hints: [] })))
  })
})

/** Uses the given CPU time, in ms. */
const work = (milliseconds: number) => {
  const before = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= milliseconds * 1000) return 'done'
  }
}

/** Waits without using CPU time, by default until the guard interrupts the task. */
const waitIdly = (milliseconds = Infinity) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

describe.each([
  ['watched by the parent', true],
  ['by itself', false],
])('the guard, %s', (_, isWatched) => {
  it('does not stop a task just because it gets little CPU time', LONG, () => {
    expect(new Guard(isWatched, () => {}).run(() => work(60))).toBe('done')
  })

  it('reruns a task that got too little CPU time', LONG, () => {
    let attempts = 0
    const guard = new Guard(isWatched, () => {
      attempts += 1
    })
    const result = guard.run(() => {
      if (attempts === 1) waitIdly()
      return 'done'
    })
    expect(result).toBe('done')
    expect(attempts).toBeGreaterThan(1)
  })

  it('stops an endless task', LONG, () => {
    expect(() => new Guard(isWatched, () => {}).run(() => work(Number.POSITIVE_INFINITY))).toThrow(
      TimeoutError,
    )
  })

  it('reruns a task that was interrupted by a late signal meant for the previous task', LONG, () => {
    let attempts = 0
    const guard = new Guard(isWatched, () => {
      attempts += 1
      // The system counts CPU time in steps of several milliseconds. A pause ends the current step. Without the pause,
      // CPU time from before the task could be counted as used by the task.
      waitIdly(10)
    })
    const result = guard.run(() => {
      if (attempts > 1) return 'done'
      process.kill(process.pid, 'SIGINT')
      // On a busy machine the signal arrives late, so the task must not use CPU time until then.
      return waitIdly()
    })
    expect(result).toBe('done')
    expect(attempts).toBe(2)
  })
})
