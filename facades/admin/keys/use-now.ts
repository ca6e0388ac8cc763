import { useEffect, useState } from 'react'

/** Milliseconds after which what is said of the time is said anew. */
const EVERY = 30_000

/** The present, as `Date.now()`; a view that uses it is drawn again now and then. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY)
    return () => clearInterval(timer)
  }, [])
  return now
}
