/** Minimum progress: at least `bytes` must pass in every `window` (in ms). A slower body counts as stalled. */
export const PROGRESS = { bytes: 10_240, window: 10_000 }

/** The detail of the error for a body that stalls. */
export const STALLED = 'The request body arrived too slowly.'

/**
 * Requires progress of a body, so that a client cannot keep it open for hours with a few bytes a second.
 *
 * @param passed returns the number of bytes that have passed so far
 * @param stalled called once if the body stalls
 * @returns a function that ends the supervision
 */
export const requireProgress = (passed: () => number, stalled: () => void): (() => void) => {
  let before = passed()
  const timer = setInterval(() => {
    const now = passed()
    if (now - before < PROGRESS.bytes) {
      clearInterval(timer)
      stalled()
    }
    before = now
  }, PROGRESS.window)
  return () => clearInterval(timer)
}
