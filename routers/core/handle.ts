import { z } from 'zod'
import { userRules } from './rules.ts'

const { handle: rule } = userRules.profile
const HANDLE = new RegExp(rule.pattern)

/** A handle in a request; surrounding white space and a leading @ are removed (contract: "Profile rules"). */
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
