import { useEffect, useRef } from 'react'

/**
 * Restores the focus once a view that replaced another has closed.
 *
 * @param isReplaced whether the other view is open
 * @param focus called when it closes
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
