/** Whether the main pointer is a finger, so that focusing a field would open the keyboard over the view. */
const isTouch = matchMedia('(pointer: coarse)').matches

/** Props that focus the first field of a view. On touch screens, the person opens the keyboard with a tap. */
export const firstField = isTouch ? {} : { autoFocus: true, 'data-autofocus': true }

/**
 * Focuses an editor that is the first field of a view, and has an ancestor with `data-autofocus`. Editors load after
 * the view, so it does nothing if the person has focused something else meanwhile.
 */
export const focusFirstEditor = (editor: { focus: () => void } | null): void => {
  if (!isTouch && document.activeElement?.matches('body, main')) editor?.focus()
}
