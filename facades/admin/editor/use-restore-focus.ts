import { useEffect, useRef } from 'react'

/**
 * Restores the focus of a view when another view, which replaced it for a while, is closed.
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
