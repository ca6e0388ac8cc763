/**
 * Writes what a process has collected in memory, in batches, so that no request waits for it. A slow database receives
 * no second batch while it still stores the first.
 *
 * @param delay time in ms from the first note to the write
 * @param write takes what was collected, and stores it; must not reject
 */
export const batchedWrites = (delay: number, write: () => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }
  return {
    /** Call it after something was collected. */
    schedule: (): void => {
      timer ??= setTimeout(() => void flush(), delay).unref()
    },
    /** Writes what was collected. Also waits for a batch that is being written already. */
    flush,
  }
}
