import { vi } from 'vitest'

/**
 * Starts a service without its regular work, such as deleting old changes. Otherwise, tests that record the statements
 * of a request would also record those of the regular work.
 */
export const withoutIntervals = async <T>(start: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    return await start()
  } finally {
    vi.useRealTimers()
  }
}
