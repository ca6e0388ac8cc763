import { vi } from 'vitest'

/**
 * Starts a service whose regular work, such as deleting old changes, never runs: its statements would be recorded with
 * those of a request.
 */
export const withoutIntervals = async <T>(start: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    return await start()
  } finally {
    vi.useRealTimers()
  }
}
