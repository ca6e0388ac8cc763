import { useEffect, useRef } from 'react'

/**
 * Restores the focus after a view that temporarily replaced this one has closed.
 *
 * @param isReplaced whether the other view is open
 * @param focus called when the other view closes
 */
export const useRestoreFocus = (isReplaced: boolean, focus: () => void) => {
  const wasReplaced = useRef(isReplaced)
  const latest = useRef(focus)
  latest.current = focus
  useEffect(() => {
    if (wasReplaced.current && !isReplaced) latest.current()
    wasReplaced.current = isReplaced
  }, [isReplaced])
}
