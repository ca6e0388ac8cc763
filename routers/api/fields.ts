import { z } from 'zod'
import { ID_PATTERN } from '../../db/id.ts'
import { limits, userRules } from './rules.ts'
import { CONTROL_OR_BREAK, DIRECTION, isVisible } from './shown-text.ts'

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

/** The ids in examples, by what they identify. */
export const exampleIds = {
  page: 'k3v9x2m7q4t8w5z6',
  part: 'p7c4r9t2h6w3x8k5',
  file: 'f5n8d3q7y2b6m9s4',
  post: 'p4m8s2k7d3g9z6q5',
  comment: 'c7h2w9n4t6r8x3v5',
} as const

/** An id. A malformed id becomes an empty string, which matches no row, so that the response is "not found". */
export const id = (what: string) =>
  z
    .string()
    .overwrite(value => (ID_PATTERN.test(value) ? value : ''))
    .meta({
      pattern: ID_PATTERN.source,
      description: `The id of the ${what}`,
      ...(Object.hasOwn(exampleIds, what) ? { examples: [exampleIds[what as keyof typeof exampleIds]] } : {}),
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
  fields: readonly string[],
) =>
  schema
    .refine(value => fields.some(field => Object.hasOwn(value, field)), {
      error: `must have at least one of ${fields.join(', ')}`,
      when: evenIfInvalid,
    })
    .meta({ minProperties: 1 })

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

/**
 * Returns a schema of the declared rules. A limit is any integer, so that a client that is generated from the schema
 * still works after the limit has changed; a text must be the given one, and a list must consist of the given elements.
 */
export const constantOf = (value: unknown): z.ZodType => {
  if (Array.isArray(value)) return z.array(z.enum(value as [string, ...string[]])).meta({ examples: [value] })
  if (typeof value === 'object' && value !== null)
    return z.object(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, constantOf(member)])),
    )
  if (typeof value === 'number') return z.int().meta({ examples: [value] })
  return z.literal(value as string)
}

/** The name of a space. */
export const spaceName = line({ min: 1, max: limits.spaceName })
