import { useEffect, useState } from 'react'

/** How often the view is rendered again, in ms. */
const INTERVAL = 30_000

/** Returns the current time as `Date.now()` does, and re-renders the view at intervals. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), INTERVAL)
    return () => clearInterval(timer)
  }, [])
  return now
}
