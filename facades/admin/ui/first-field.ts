/** Whether the main pointer is a finger. If it is, focusing a field would open the keyboard over the view. */
const isTouch = matchMedia('(pointer: coarse)').matches

/**
 * Props for the first field of a view. They focus the field when the view appears, unless a dialog was opened while the
 * view was loading. On touch screens, they do nothing: the person taps the field to open the keyboard.
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
 * Focuses the first field of a view. Use this for a field that appears later than the view, such as an editor. The
 * field must be inside an element with `data-autofocus`. Does nothing if the person has already focused something else.
 */
export const focusFirstField = (field: { focus: () => void } | null): void => {
  if (!isTouch && document.activeElement?.matches('body, main')) field?.focus()
}
