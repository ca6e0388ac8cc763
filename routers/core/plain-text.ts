import { text } from './fields.ts'
import { CONTROL_OR_BREAK, DIRECTION, isVisible } from './shown-text.ts'

const CONTROL_BUT_BREAK = /[^\P{Cc}\n]/u
const CONTROL_BUT_BREAK_AND_TAB = /[^\P{Cc}\n\t]/u

interface Bounds {
  min?: number
  max: number
}

/** Whether text has a control character or a line break. */
export const hasControl = (value: string): boolean => CONTROL_OR_BREAK.test(value)

/** Whether a name has a visible character. Also true for an empty name, which other rules accept or refuse. */
export const showsSomething = (name: string): boolean => name === '' || isVisible(name)

/** The error for a name without a visible character. */
export const INVISIBLE = 'must contain a visible character'

/**
 * A single line of text: trimmed, without control and text-direction characters. Unless it is empty, it has a visible
 * character.
 */
export const line = (bounds: Bounds) =>
  text({ ...bounds, trim: true })
    .refine(value => !hasControl(value), { error: 'must not contain line breaks or control characters' })
    .refine(value => !DIRECTION.test(value), { error: 'must not contain text-direction control characters' })
    .refine(showsSomething, { error: INVISIBLE })

/**
 * Text of several lines: trimmed, without control and text-direction characters. Line breaks are normalized to LF and
 * count as one character.
 *
 * @param tabs whether tabs are allowed
 */
export const lines = ({ tabs = false, ...bounds }: Bounds & { tabs?: boolean }) => {
  const refused = tabs ? CONTROL_BUT_BREAK_AND_TAB : CONTROL_BUT_BREAK
  return text({ ...bounds, clean: value => value.replace(/\r\n?/g, '\n').trim() })
    .refine(value => !refused.test(value), {
      error: `must not contain control characters other than line breaks${tabs ? ' and tabs' : ''}`,
    })
    .refine(value => !DIRECTION.test(value), { error: 'must not contain text-direction control characters' })
}
