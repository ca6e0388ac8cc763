import { useEffect, useState } from 'react'

/** Milliseconds in which a dialog that follows takes the focus itself. */
const AFTER_DIALOG = 50

/**
 * Gives the focus back to what had it, once a dialog is gone that is there only while it is open. A dialog that is
 * always there and only opens and closes does that by itself.
 */
export const useFocusReturn = () => {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
      }, AFTER_DIALOG)
    },
    [opener],
  )
}
