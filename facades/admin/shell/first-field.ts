/** Whether the main pointer is a finger. If it is, focusing a field would open the keyboard over the view. */
const isTouch = matchMedia('(pointer: coarse)').matches

/**
 * Props that focus the first field of a view when the view appears, unless a dialog was opened while the view was
 * loading. On touch screens, the person opens the keyboard with a tap.
 */
export const firstField = isTouch
  ? {}
  : {
      ref: (field: HTMLElement | null) => {
        if (!document.activeElement?.closest('[role=dialog]')) field?.focus()
      },
      'data-autofocus': true,
    }

/**
 * Focuses the first field of a view if it appears later than the view, as an editor does. The field must have an
 * ancestor with `data-autofocus`. Does nothing if the person has focused something else in the meantime.
 */
export const focusFirstField = (field: { focus: () => void } | null): void => {
  if (!isTouch && document.activeElement?.matches('body, main')) field?.focus()
}
