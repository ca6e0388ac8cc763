import { afterEach, beforeEach, vi } from 'vitest'
import type { Renderer } from '../../routers/api/renderer.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'
import { childrenOf, send } from './process-info.ts'
import { renderIn } from './site.ts'

/** A renderer and its processes, for one test. */
export interface TestRenderer {
  readonly renderer: Renderer
  /** Starts the renderer with this many workers and a spare one. Resolves when all of them are running. */
  start: (processes: number) => Promise<void>
  /** Ids of the worker processes. */
  workers: () => number[]
  /** Suspends all workers, so that nothing more is evaluated. */
  freeze: () => void
}

/** Returns a renderer that a test can start. It is stopped after the test. */
export const useRenderer = (): TestRenderer => {
  let renderer: Renderer | undefined
  let before: number[] = []
  const workers = () => childrenOf(process.pid).filter(pid => !before.includes(pid))
  beforeEach(() => {
    before = childrenOf(process.pid)
  })
  afterEach(() => renderer?.stop())
  return {
    get renderer() {
      return renderer!
    },
    start: async processes => {
      const started = startRenderer({ processes })
      renderer = started
      await Promise.all(Array.from({ length: processes }, () => renderIn(started, 'up')))
      await vi.waitFor(() => {
        if (workers().length !== processes + 1) throw new Error('a worker is not up yet')
      }, 60_000)
    },
    workers,
    freeze: () => {
      for (const pid of workers()) send('SIGSTOP', pid)
    },
  }
}
