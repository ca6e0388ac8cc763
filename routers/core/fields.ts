import { z } from 'zod'
import { ID_PATTERN } from '../../db/id.ts'
import { limits } from './rules.ts'

/** Names for JSON types in messages, where Zod's own differ from what callers know. */
const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

// One voice for every schema: a message continues the sentence that begins with the field's name.
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

/** Whether text can be kept by the database and sent as JSON without loss (decision 9). */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Length in Unicode code points, which is how JSON Schema and the contract count. */
export const codePoints = (text: string): number => {
  let count = 0
  for (let i = 0; i < text.length; i++, count++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) i++
  }
  return count
}

/** Whether text has at most `max` code points, without counting where the answer is plain. */
export const fits = (text: string, max: number) =>
  text.length <= max || (text.length <= 2 * max && codePoints(text) <= max)

/** A range of lengths in words. */
const span = (min: number, max: number) =>
  min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`

/**
 * Text that can be stored, of `min` to `max` code points.
 *
 * @param trim removes surrounding white space first
 * @param clean makes of the text what is judged and kept
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
      error: `must be ${span(min, max)} long`,
    })
    .meta({ ...(min ? { minLength: min } : {}), maxLength: max })

/**
 * A name made of few characters: slugs, part names, keys, subdomains.
 *
 * @param pattern the source of a regular expression that also bounds the length
 * @param words the pattern for people
 * @param trim removes surrounding white space first
 */
export const patterned = (pattern: string, words: string, { trim = false } = {}) => {
  const expression = new RegExp(pattern)
  return (trim ? z.string().trim() : z.string()).refine(value => expression.test(value), { error: words })
}

/**
 * The id of something that may or may not exist. A malformed one names nothing, so it becomes
 * an id that no row has and ends as "not found" (decision 4).
 */
export const id = (what: string) =>
  z
    .string()
    .overwrite(value => (ID_PATTERN.test(value) ? value : ''))
    .meta({
      pattern: ID_PATTERN.source,
      description: `The id of the ${what}`,
      examples: ['k3v9x2m7q4t8w5z6'],
    })

/** The space's subdomain as an address of every operation in it. Access has settled it before input is read. */
export const subdomain = z
  .string()
  .meta({ pattern: limits.subdomain, description: "The space's subdomain", examples: ['garden'] })

const SUBDOMAIN = new RegExp(limits.subdomain)

/** The subdomain that an input names, before the input as a whole is looked at; null when it can be none. */
export const subdomainFrom = (input: unknown): string | null =>
  typeof input === 'object' &&
  input !== null &&
  'subdomain' in input &&
  typeof input.subdomain === 'string' &&
  SUBDOMAIN.test(input.subdomain)
    ? input.subdomain
    : null

/** A point in time as every answer shows it (contract: general conventions, 6). */
export const timestamp = z.string().meta({
  id: 'Timestamp',
  format: 'date-time',
  description: 'UTC, ISO 8601, with milliseconds',
  examples: ['2026-04-01T09:30:00.000Z'],
})

/** An address in an answer. */
export const address = z.string().meta({ format: 'uri' })

/** For a rule about an object as a whole that is to be checked beside broken rules of its fields. */
export const evenIfInvalid = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

/**
 * Refuses an object in which none of `fields` is given, beside whatever else is wrong with it.
 * The error is about the body as a whole.
 */
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
