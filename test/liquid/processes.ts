import { afterEach, beforeEach, vi } from 'vitest'
import type { Renderer } from '../../routers/core/renderer.ts'
import { startRenderer } from '../../routers/liquid/renderer.ts'
import { childrenOf } from './children.ts'
import { renderIn } from './site.ts'

/** A renderer with its processes, for one test. */
export interface Processes {
  readonly renderer: Renderer
  /** Starts it with so many processes; resolves when the one in reserve has been started as well. */
  start: (processes: number) => Promise<void>
  /** The ids of its processes. */
  children: () => number[]
  /** From now on nothing is evaluated. */
  freeze: () => void
}

/** Ends the renderer that a test has started when the test is over. */
export const useProcesses = (): Processes => {
  let renderer: Renderer | undefined
  let before: number[] = []
  const children = () => childrenOf(process.pid).filter(pid => !before.includes(pid))
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
        if (children().length !== processes + 1) throw new Error('not all are up')
      }, 10_000)
    },
    children,
    freeze: () => {
      for (const pid of children()) process.kill(pid, 'SIGSTOP')
    },
  }
}
