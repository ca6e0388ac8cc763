import { useEffect, useState } from 'react'

/** Counts down in whole seconds. Restarts whenever `key` changes.
 * @param seconds null if there is nothing to wait for
 * @returns the seconds left
 */
export const useCountdown = (seconds: number | null, key: unknown): number => {
  const [left, setLeft] = useState(seconds ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new failure restarts the countdown, even with the same number of seconds
  useEffect(() => {
    const end = Date.now() + (seconds ?? 0) * 1000
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    update()
    if (seconds === null) return
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [seconds, key])
  return left
}

/** Formats a waiting time: in seconds, or in minutes above 90 s. */
export const formatWait = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`
