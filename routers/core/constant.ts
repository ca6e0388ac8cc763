import { z } from 'zod'

/**
 * Returns a schema that accepts only the given constant, so that responses cannot differ from the declared
 * rules. For a list, it checks only that each element is one of the given ones, not their number or order.
 */
export const constantOf = (value: unknown): z.ZodType => {
  if (Array.isArray(value)) return z.array(z.enum(value as [string, ...string[]])).meta({ examples: [value] })
  if (typeof value === 'object' && value !== null)
    return z.object(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, constantOf(member)])),
    )
  return z.literal(value as string | number)
}
