import type { Renderer } from '../../routers/api/renderer.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'

let renderer: Renderer | undefined

/**
 * Returns the renderer that all test files of a worker share, because its processes take longer to start than most test
 * files run. They end with the worker.
 */
export const sharedRenderer = (): Renderer => (renderer ??= startRenderer({ processes: 1 }))
