import { useEffect, useState } from 'react'

/** How long to wait for another dialog to take the focus, in ms. */
const RETURN_DELAY = 50

/** Returns the focus to the previously focused element when a dialog unmounts. Needed for dialogs that are mounted only
 * while open; Mantine does it for the others.
 */
export const useFocusReturn = () => {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
      }, RETURN_DELAY)
    },
    [opener],
  )
}
