import { z } from 'zod'
import { text } from '../core/fields.ts'
import { limits, userRules } from '../core/rules.ts'

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
export const Me = z.object({
  handle: z.string(),
  has_password: z.boolean(),
  /** Whether the configuration names it as one of the people who run the service. */
  is_operator: z.boolean(),
})

/** What deleting an account means for what hangs on it. */
export const Leaving = z.object({
  posts: z.int(),
  comments: z.int(),
  likes: z.int(),
  tokens: z.int(),
  /** Files it uploaded, which stay in their spaces. */
  files: z.int(),
  /** Keys it issued, which stop. */
  keys: z.array(z.object({ subdomain: z.string(), id: z.string(), label: z.string(), hint: z.string() })),
  /** Spaces it leaves to others. */
  spaces: z.array(z.object({ subdomain: z.string(), name: z.string() })),
  /** Spaces that would be left with nobody, for which it is refused. */
  alone_in: z.array(z.object({ subdomain: z.string(), name: z.string() })),
})
