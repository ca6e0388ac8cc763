import { RendererBusyError } from '../../core/renderer.ts'

/** Editors of one person that may wait at a time. */
const WAITING = 8

/**
 * Lets each person have one evaluation under way. Of those that wait, each editor has its newest only, so that typing
 * fast costs no more than typing slowly.
 */
export class Newest {
  /** By person: starts, or drops, what waits, by editor. A person without an entry has nothing under way. */
  private readonly lines = new Map<string, Map<string, (isNewest: boolean) => void>>()

  /**
   * @param who the person
   * @param editor where the person is typing
   * @returns what `work` returns; null when a newer one of the same editor took its place before it began
   * @throws RendererBusyError when too many editors wait, and whatever `work` throws
   */
  async run<Result>(who: string, editor: string, work: () => Promise<Result>): Promise<Result | null> {
    const line = this.lines.get(who)
    if (!line) this.lines.set(who, new Map())
    else if (!(await this.wait(line, editor))) return null
    try {
      return await work()
    } finally {
      this.startNext(who)
    }
  }

  private wait(line: Map<string, (isNewest: boolean) => void>, editor: string): Promise<boolean> {
    const older = line.get(editor)
    if (!older && line.size >= WAITING) throw new RendererBusyError('Too many previews are waiting.')
    older?.(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    line.set(editor, resolve)
    return promise
  }

  private startNext(who: string): void {
    const line = this.lines.get(who)
    const [next] = line ?? []
    if (!line || !next) return void this.lines.delete(who)
    const [editor, start] = next
    line.delete(editor)
    start(true)
  }
}
