/**
 * Runs work in the background again and again, never twice at the same time.
 *
 * @param every interval between two runs, in ms
 * @param onError called if a run fails; the next one tries again
 * @returns `stop`, which waits for the current run
 */
export const repeat = (
  every: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop: () => Promise<unknown> } => {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(work).catch(onError)
  }, every).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
