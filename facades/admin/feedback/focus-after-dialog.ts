import type { RefObject } from 'react'

/** How long a closing dialog takes to restore the focus, in ms. */
const RESTORE_DELAY = 50

/** Focuses an element after a dialog has closed. Use it when the button that opened the dialog no longer exists, for
 * example because its row was deleted.
 */
export const focusAfterDialog = (element: RefObject<HTMLElement | null>) => {
  setTimeout(() => element.current?.focus(), RESTORE_DELAY)
}
