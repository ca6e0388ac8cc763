import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type ParseError, parse } from 'jsonc-parser'
import { type Bounds, JsonShape, MAX_DEPTH } from '../../routers/api/json-shape.ts'
import type { LongText } from '../../routers/api/long-text.ts'
import { invalid, Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { unescapeInPlace } from './unescape.ts'

/**
 * Maximum number of values in a body that exceeds the usual size limit. Such a body is mostly one long string: the
 * content of a file.
 */
export const MAX_VALUES = 1_000

/** Strings longer than this many bytes become a `LongText`. Only the content of a file can be so long. */
export const LONG_TEXT = limits.iconBody

/** The byte order mark that some programs write at the beginning of a file. RFC 8259 forbids it. */
const MARK = Buffer.from('\ufeff')

/** Returns a `JsonShape` that measures a body while the body arrives. */
export const newShape = () => new JsonShape(LONG_TEXT)

/**
 * Parses a JSON body. Strings longer than `LONG_TEXT` become a `LongText`, which shares the memory of `bytes`.
 *
 * @param shape the measured shape of `bytes`
 * @returns the value; a promise of the value if the body has such strings
 * @throws `invalid_json`, or `validation_failed` for a body that is too nested or has too many values
 */
export const parseJson = (bytes: Buffer, shape: JsonShape): unknown => {
  if (bytes.length === 0) throw empty()
  if (!isUtf8(bytes)) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' })
  if (bytes.subarray(0, MARK.length).equals(MARK))
    throw new Problem('invalid_json', {
      detail: 'The body begins with a byte order mark (EF BB BF). Send the JSON without it.',
    })
  if (!shape.isBalanced) throw notJson(bytes, shape)
  if (shape.depth > MAX_DEPTH)
    throw invalid(shape.deepestIn(bytes) ?? '$', `is nested deeper than ${MAX_DEPTH} levels`)
  if (bytes.length > limits.body && shape.values > MAX_VALUES)
    throw invalid('$', `has more than ${MAX_VALUES} values, the maximum for a body of this size`)
  try {
    return shape.longStrings.length === 0
      ? JSON.parse(bytes.toString('utf8'))
      : parseAround(bytes, shape.longStrings).catch(refuse)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(bytes, shape, error)
  }
}

const refuse = (error: unknown): never => {
  throw error instanceof SyntaxError ? unreadable(error) : error
}

const unreadable = (cause: unknown) =>
  new Problem('invalid_json', { detail: 'The body cannot be parsed as JSON.', cause })

const empty = () => new Problem('invalid_json', { detail: 'The body is empty.' })

/**
 * Bodies above this many bytes are not searched for the place of the error, which takes several times as long as parsing
 * them.
 */
const SEARCHED = 65_536

/** The error for a body that is not JSON. Says where it stops being JSON. */
const notJson = (bytes: Buffer, shape: JsonShape, cause?: unknown): Problem => {
  if (bytes.length > SEARCHED || shape.depth > MAX_DEPTH) return unreadable(cause)
  const text = bytes.toString('utf8')
  if (text.trim() === '') return empty()
  const offset = firstError(text)
  if (offset === undefined) return unreadable(cause)
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`
  const detail =
    offset >= text.trimEnd().length
      ? `The body ends in ${place}, before its JSON is complete.`
      : `The body stops being JSON in ${place}.`
  return new Problem('invalid_json', { detail, cause })
}

/** Returns the offset at which a text stops being JSON; undefined if it is JSON. */
const firstError = (text: string): number | undefined => {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  return errors[0]?.offset
}

/** Parses a body with a placeholder for each long string, then replaces the placeholders. */
const parseAround = async (bytes: Buffer, longStrings: readonly Bounds[]): Promise<unknown> => {
  const texts = new Map<string, LongText>()
  let rest = ''
  let from = 0
  for (const [start, end] of longStrings) {
    // The placeholder is random, so no string in the body equals it.
    const placeholder = randomUUID()
    rest += bytes.toString('utf8', from, start) + placeholder
    from = end
    texts.set(placeholder, await unescapeInPlace(bytes.subarray(start, end)))
  }
  rest += bytes.toString('utf8', from)
  return JSON.parse(rest, (_key, value: unknown) =>
    typeof value === 'string' ? (texts.get(value) ?? value) : value,
  )
}
