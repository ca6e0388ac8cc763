import type { RefObject } from 'react'

/** Milliseconds after which a closed dialog has given the focus back. */
const AFTER_DIALOG = 50

/**
 * Lets the keyboard go on at an element once a dialog has closed; for when what had opened the dialog is gone with
 * what was deleted.
 */
export const focusAfterDialog = (element: RefObject<HTMLElement | null>) => {
  setTimeout(() => element.current?.focus(), AFTER_DIALOG)
}
