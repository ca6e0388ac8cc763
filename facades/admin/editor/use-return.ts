import { useEffect, useRef } from 'react'

/** Leads the keyboard back to where it was, once something that stood in the place of that is gone. */
export const useReturn = (isAway: boolean, focus: () => void) => {
  const wasAway = useRef(isAway)
  const latest = useRef(focus)
  latest.current = focus
  useEffect(() => {
    if (wasAway.current && !isAway) latest.current()
    wasAway.current = isAway
  }, [isAway])
}
