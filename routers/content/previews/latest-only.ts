import { RendererBusyError } from '../../api/renderer.ts'

/** Maximum number of editors per person that can wait in the queue. */
const MAX_QUEUED = 8

/**
 * Runs one evaluation per person at a time. Each editor queues only its latest evaluation, so typing fast does
 * not cause more evaluations than typing slowly.
 */
export class LatestOnly {
  /** Callbacks of the queued evaluations, by person and editor: a call with `true` starts the evaluation, a call with `false` drops it. */
  private readonly queues = new Map<string, Map<string, (isLatest: boolean) => void>>()

  /**
   * Runs work when its turn comes, unless a later call of the same editor replaces it.
   *
   * @param who the person
   * @param editor the editor in which the person is typing
   * @returns what `work` returns, or null when a later call of the same editor replaced this one in the queue
   * @throws RendererBusyError when too many editors are queued, and what `work` throws
   */
  async run<Result>(who: string, editor: string, work: () => Promise<Result>): Promise<Result | null> {
    const queue = this.queues.get(who)
    if (!queue) this.queues.set(who, new Map())
    else if (!(await this.wait(queue, editor))) return null
    try {
      return await work()
    } finally {
      this.startNext(who)
    }
  }

  private wait(queue: Map<string, (isLatest: boolean) => void>, editor: string): Promise<boolean> {
    const older = queue.get(editor)
    if (!older && queue.size >= MAX_QUEUED) throw new RendererBusyError('Too many previews are queued.')
    older?.(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    queue.set(editor, resolve)
    return promise
  }

  private startNext(who: string): void {
    const queue = this.queues.get(who)
    const [next] = queue ?? []
    if (!queue || !next) return void this.queues.delete(who)
    const [editor, start] = next
    queue.delete(editor)
    start(true)
  }
}
