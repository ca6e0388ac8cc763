import { expect, it } from 'vitest'
import type { RenderOutcome } from '../../routers/core/renderer.ts'
import type { Job } from '../../routers/liquid/workers/job.ts'
import { Worker } from '../../routers/liquid/workers/worker.ts'
import { requestFor, snapshotOf } from './site.ts'

const ENDLESS = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}'

/**
 * Starts a worker process. `evaluate` gives it a page, and resolves with the outcome, or with `tried again` if the
 * scheduler would try the page again.
 */
const startWorker = async () => {
  const ready = Promise.withResolvers<void>()
  let job: Job
  let next = Promise.withResolvers<'tried again' | RenderOutcome>()
  const lost = () => {
    ready.reject(new Error('The process ended'))
    next.reject(new Error('The process ended'))
  }
  const worker = new Worker({
    onReady: () => ready.resolve(),
    onCompleted: (_worker, { evaluated }) => next.resolve(evaluated!.outcome),
    onTooCold: () => next.resolve('tried again'),
    // The machine was too busy: this says nothing about the page.
    onStarved: () => worker.start(job),
    onBloated: () => {},
    onMissing: () => next.reject(new Error('Something was missing')),
    onTimeout: lost,
    onLost: lost,
    shouldYield: () => false,
    onYielded: () => {},
  })
  await ready.promise
  const evaluate = (html: string, given: Partial<Job> = {}) => {
    next = Promise.withResolvers()
    job = {
      type: 'render',
      request: requestFor(html),
      headOnly: false,
      snapshot: JSON.stringify(snapshotOf({})),
      html,
      resolve: () => {},
      reject: () => {},
      standing: 'unproven',
      borrows: false,
      losses: 0,
      wasTooCold: false,
      ...given,
    } as Job
    worker.start(job)
    return next.promise
  }
  return { evaluate, stop: () => worker.stop() }
}

const CUT_OFF = { ok: false, error: { kind: 'timeout' } }

it('a page cut off in a process that has just started is tried once more', async () => {
  const { evaluate, stop } = await startWorker()
  expect(await evaluate(ENDLESS)).toBe('tried again')
  expect(await evaluate(ENDLESS, { wasTooCold: true })).toMatchObject(CUT_OFF)
  await stop()
})

it('a suspect page cut off in a process that has just started is not tried again', async () => {
  const { evaluate, stop } = await startWorker()
  expect(await evaluate(ENDLESS, { standing: 'suspect' })).toMatchObject(CUT_OFF)
  await stop()
})

it('a page cut off in a warm process is not tried again', async () => {
  const { evaluate, stop } = await startWorker()
  for (let n = 0; n < 6; n += 1) await evaluate(ENDLESS, { wasTooCold: true })
  expect(await evaluate(ENDLESS)).toMatchObject(CUT_OFF)
  await stop()
})
