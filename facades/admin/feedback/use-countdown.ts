import { useEffect, useState } from 'react'

/**
 * Counts whole seconds down to nothing, beginning again whenever `key` changes.
 *
 * @param seconds null when there is nothing to wait for
 */
export const useCountdown = (seconds: number | null, key: unknown): number => {
  const [left, setLeft] = useState(seconds ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new failure counts anew, for as long as the last one did
  useEffect(() => {
    const end = Date.now() + (seconds ?? 0) * 1000
    const show = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    show()
    if (seconds === null) return
    const timer = setInterval(show, 250)
    return () => clearInterval(timer)
  }, [seconds, key])
  return left
}

/** A wait for people: long ones need no seconds. */
export const formatWait = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`
