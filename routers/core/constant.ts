import { z } from 'zod'

/** The schema of a constant: what is reported can only be what is declared. */
export const constantOf = (value: unknown): z.ZodType => {
  if (Array.isArray(value)) return z.array(z.enum(value as [string, ...string[]])).meta({ examples: [value] })
  if (typeof value === 'object' && value !== null)
    return z.object(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, constantOf(member)])),
    )
  return z.literal(value as string | number)
}
