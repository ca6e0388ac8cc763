import { type RefObject, useEffect, useState } from 'react'

/** How long a closing dialog takes to restore the focus, in ms. */
const RESTORE_DELAY = 50

/** How long to wait for the dialog to close, in ms. */
const CLOSE_WITHIN = 500

const openDialogs = () => document.querySelectorAll('[role=dialog]').length

/**
 * Focuses an element after a dialog has closed. Use it when the button that opened the dialog no longer exists, for
 * example because its row was deleted.
 */
export const focusAfterDialog = (element: RefObject<HTMLElement | null>) => {
  const open = openDialogs()
  let waited = 0
  const look = () => {
    waited += RESTORE_DELAY
    if (openDialogs() >= open && open > 0 && waited < CLOSE_WITHIN) setTimeout(look, RESTORE_DELAY)
    else setTimeout(() => element.current?.focus(), RESTORE_DELAY)
  }
  look()
}

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
