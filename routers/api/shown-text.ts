/** A control character or a line break. */
export const CONTROL_OR_BREAK = /[\p{Cc}\u2028\u2029]/u

/** A text-direction control character. */
export const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/**
 * A character that shows something. Does not match white space, joiners, variation selectors, fillers and other
 * characters that fonts leave blank; text in any script may contain these, but must not consist only of them.
 */
const VISIBLE =
  /[^\u{16FE4}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB\u{13430}-\u{1343F}\u{1D159}]/u

/** Whether `text` shows anything. Also runs in browsers. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

const EVERY_CONTROL_OR_BREAK = new RegExp(CONTROL_OR_BREAK, 'gu')
const EVERY_DIRECTION = new RegExp(DIRECTION, 'gu')

/**
 * Returns text as a single line to display, for text that is stored without validation. Replaces control characters and
 * line breaks with spaces. Removes text-direction characters, which could show the text in another order. Also runs in
 * browsers.
 */
export const shownText = (text: string): string =>
  text.toWellFormed().replace(EVERY_CONTROL_OR_BREAK, ' ').replace(EVERY_DIRECTION, '')
