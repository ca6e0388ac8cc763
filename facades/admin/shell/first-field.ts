/** Whether the main pointer is a finger, so that focusing a field would open the keyboard over the view. */
const isTouch = matchMedia('(pointer: coarse)').matches

/** Props that focus the first field of a view. On touch screens, the person opens the keyboard with a tap. */
export const firstField = isTouch ? {} : { autoFocus: true, 'data-autofocus': true }
