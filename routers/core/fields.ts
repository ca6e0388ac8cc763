import { z } from 'zod'
import { ID_PATTERN } from '../../db/id.ts'
import { limits } from './rules.ts'

/** Names of types for messages, where Zod's name differs from the JSON type. */
const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

// Every message continues a sentence that begins with the name of the field.
z.config({
  customError: issue => {
    if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required'
    if (issue.code === 'invalid_type') return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    if (issue.code === 'invalid_value')
      return issue.input === undefined
        ? 'is required'
        : `must be ${issue.values.map(value => JSON.stringify(value)).join(' or ')}`
    return undefined
  },
})

/** Whether text can be stored and returned as JSON without loss. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Returns the length in Unicode code points, the unit of JSON Schema and the contract. */
export const codePoints = (text: string): number => {
  let count = 0
  for (let i = 0; i < text.length; i++, count++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) i++
  }
  return count
}

/**
 * Whether text has at most `max` code points. Counts them only if the length in UTF-16 units is not enough to decide.
 */
export const fits = (text: string, max: number) =>
  text.length <= max || (text.length <= 2 * max && codePoints(text) <= max)

/** Describes a range of lengths. */
const span = (min: number, max: number) =>
  min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`

/** States the actual length of text that is too long, because people cannot easily count its characters. */
const excess = (text: string, max: number) => (fits(text, max) ? '' : `, but has ${codePoints(text)}`)

/**
 * Text that can be stored, of `min` to `max` code points.
 *
 * @param trim whether to remove surrounding white space first
 * @param clean returns the text to validate and store
 */
export const text = ({
  min = 0,
  max,
  trim = false,
  clean = trim ? value => value.trim() : value => value,
}: {
  min?: number
  max: number
  trim?: boolean
  clean?: (value: string) => string
}) =>
  z
    .string()
    .overwrite(clean)
    .refine(isStorable, { error: 'must not contain U+0000 or a lone surrogate' })
    .refine(value => fits(value, max) && (min === 0 || codePoints(value) >= min), {
      error: ({ input }) => `must be ${span(min, max)} long${excess(String(input), max)}`,
    })
    .meta({ ...(min ? { minLength: min } : {}), maxLength: max })

/**
 * A name with a restricted set of characters: slugs, part names, keys, subdomains.
 *
 * @param pattern source of a regular expression that also limits the length
 * @param message describes the pattern
 * @param trim whether to remove surrounding white space first
 */
export const patterned = (pattern: string, message: string, { trim = false } = {}) => {
  const expression = new RegExp(pattern)
  return (trim ? z.string().trim() : z.string()).refine(value => expression.test(value), { error: message })
}

/** An id. A malformed id becomes an empty string, which matches no row, so that the response is "not found". */
export const id = (what: string) =>
  z
    .string()
    .overwrite(value => (ID_PATTERN.test(value) ? value : ''))
    .meta({
      pattern: ID_PATTERN.source,
      description: `The id of the ${what}`,
      examples: ['k3v9x2m7q4t8w5z6'],
    })

/**
 * The subdomain of the space. Any text is accepted, because access to the space is checked before the input is parsed.
 */
export const subdomain = z
  .string()
  .meta({ pattern: limits.subdomain, description: "The space's subdomain", examples: ['garden'] })

const SUBDOMAIN = new RegExp(limits.subdomain)

/** Returns the subdomain in an unparsed input, or null when it is missing or malformed. */
export const subdomainFrom = (input: unknown): string | null =>
  typeof input === 'object' &&
  input !== null &&
  'subdomain' in input &&
  typeof input.subdomain === 'string' &&
  SUBDOMAIN.test(input.subdomain)
    ? input.subdomain
    : null

/** A timestamp in a response (contract: general conventions, 6). */
export const timestamp = z.string().meta({
  id: 'Timestamp',
  format: 'date-time',
  description: 'UTC, ISO 8601, with milliseconds',
  examples: ['2026-04-01T09:30:00.000Z'],
})

/** A URL in a response. */
export const address = z.string().meta({ format: 'uri' })

/** A `when` for Zod: lets a rule on the whole object run even if some of its fields are invalid. */
export const evenIfInvalid = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

/** Requires at least one of `fields`; checked even if fields are invalid. The error refers to the whole body. */
export const atLeastOneOf = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  fields: (keyof Shape & string)[],
) =>
  schema
    .refine(value => fields.some(field => Object.hasOwn(value, field)), {
      error: `must have at least one of ${fields.join(', ')}`,
      when: evenIfInvalid,
    })
    .meta({ minProperties: 1 })
