import { z } from 'zod'
import { text } from '../fields.ts'
import { limits, userRules } from '../rules.ts'

const { handle: rule } = userRules.profile
const HANDLE = new RegExp(rule.pattern)

/** A handle as people type it: white space around it and a leading @ are dropped (contract: "Profile rules"). */
export const handle = z
  .string()
  .overwrite(value => value.trim().replace(/^@/, ''))
  .refine(value => HANDLE.test(value), {
    error: `must be ${rule.min_length} to ${rule.max_length} letters, digits, dots and underscores`,
  })
  .meta({
    pattern: rule.pattern,
    minLength: rule.min_length,
    maxLength: rule.max_length,
    description: 'Unique ignoring case',
    examples: ['robin'],
  })

export const newPassword = text({ min: limits.passwordMin, max: limits.passwordMax }).meta({
  format: 'password',
})

/** A password as it is tried: no rule but a bound, so that trying costs little. */
export const triedPassword = z.string().max(2 * limits.passwordMax, { error: 'is too long' })

/** An account as its owner sees it. */
export const Me = z.object({ handle: z.string(), has_password: z.boolean() })
