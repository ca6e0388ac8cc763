import { z } from 'zod'
import { text } from '../fields.ts'
import { limits } from '../rules.ts'

const HANDLE = new RegExp(limits.handle)

/** A handle as people type it: white space around it and a leading @ are dropped (contract: "Profile rules"). */
export const handle = z
  .string()
  .overwrite(value => value.trim().replace(/^@/, ''))
  .refine(value => HANDLE.test(value), {
    error: `must be ${limits.handleMin} to ${limits.handleMax} letters, digits, dots and underscores`,
  })
  .meta({ pattern: limits.handle, description: 'Unique ignoring case', examples: ['robin'] })

export const newPassword = text({ min: limits.passwordMin, max: limits.passwordMax }).meta({
  format: 'password',
})

/** A password as it is tried: no rule but a bound, so that trying costs little. */
export const triedPassword = z.string().max(2 * limits.passwordMax, { error: 'is too long' })
