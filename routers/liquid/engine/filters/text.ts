import { type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { Html, plain, printRaw } from '../html.ts'
import { numberOf } from './numbers.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

/** Returns a value as plain text, and charges it to the budget of the evaluation that `filter` belongs to. */
export function textOf(filter: FilterThis, value: unknown): string {
  const budget = budgetOf(filter.context)
  const text = printRaw(plain(value), budget)
  budget.use(text.length)
  return text
}

/** Replaces every occurrence. An empty pattern matches before, between and after all characters. */
function replace(this: FilterThis, value: unknown, pattern: unknown, replacement: unknown): string {
  const text = textOf(this, value)
  const found = textOf(this, pattern)
  const inserted = textOf(this, replacement)
  const pieces = found === '' ? ['', ...Array.from(text), ''] : text.split(found)
  budgetOf(this.context).use(pieces.length * (1 + inserted.length))
  return pieces.join(inserted)
}

/** Splits at a separator; a single space stands for any white space. Trailing empty strings are dropped, as in Ruby. */
function split(this: FilterThis, value: unknown, separator: unknown): string[] {
  const text = textOf(this, value)
  const at = textOf(this, separator)
  const pieces = at === ' ' ? text.trim().split(/\s+/) : at === '' ? Array.from(text) : text.split(at)
  let kept = pieces.length
  while (kept > 0 && pieces[kept - 1] === '') kept -= 1
  return kept === pieces.length ? pieces : pieces.slice(0, kept)
}

function truncate(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const [length, ending] = args
  const given = args.length < 2 ? [] : [textOf(this, ending)]
  const limit = length === undefined || length === null ? length : numberOf(length)
  return (filters.truncate as Handler).call(this, textOf(this, value), limit ?? undefined, ...given)
}

function truncateWords(this: FilterThis, value: unknown, ...args: unknown[]): string {
  const [count = 15] = args
  const ending = args.length < 2 ? '...' : textOf(this, args[1])
  const text = textOf(this, value)
  const words = text.trim().split(/\s+/)
  const kept = Math.max(1, Math.trunc(numberOf(count)))
  return words.length <= kept ? text : words.slice(0, kept).join(' ') + ending
}

/** Encodes everything but letters, digits and `_.-~`, as Ruby does. */
function urlEncode(this: FilterThis, value: unknown): unknown {
  return (filters.cgi_escape as Handler).call(this, textOf(this, value).toWellFormed())
}

/** An empty format leaves the value unchanged. */
function date(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const hasNoFormat = args.length > 0 && textOf(this, args[0]) === ''
  return hasNoFormat ? value : (filters.date as Handler).call(this, value, ...args)
}

function base64Encode(this: FilterThis, value: unknown): string {
  return Buffer.from(textOf(this, value), 'utf8').toString('base64url')
}

/** Keeps the padding, as Ruby and Shopify's examples do. */
function base64UrlSafeEncode(this: FilterThis, value: unknown): string {
  const encoded = base64Encode.call(this, value)
  return encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=')
}

function base64UrlSafeDecode(this: FilterThis, value: unknown): string {
  const text = textOf(this, value).replace(/\s/g, '')
  if (!/^[\w-]*={0,2}$/.test(text)) throw new Error('invalid base64 provided to base64_url_safe_decode')
  return Buffer.from(text, 'base64url').toString('utf8')
}

/** Safe HTML stays safe. An empty object counts as empty, like an empty list. */
function defaultTo(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  if (value instanceof Html && value.text !== '') return value
  // Named arguments arrive as pairs, before or after the default value.
  const isNamed = (_: unknown, index: number) => Array.isArray(this.token.args[index])
  const named = args.filter(isNamed)
  const replacement = args.find((arg, index) => !isNamed(arg, index)) ?? ''
  const text = plain(value)
  const isEmptyObject =
    typeof text === 'object' && text !== null && Object.getPrototypeOf(text) === Object.prototype
      ? Object.keys(text).length === 0
      : false
  return isEmptyObject ? replacement : (filters.default as Handler).call(this, text, replacement, ...named)
}

export const TEXT_FILTERS: Liquid['filters'] = {
  replace,
  remove(value: unknown, pattern: unknown) {
    return replace.call(this, value, pattern, '')
  },
  split,
  truncate,
  truncatewords: truncateWords,
  url_encode: urlEncode,
  date,
  base64_url_safe_encode: base64UrlSafeEncode,
  base64_url_safe_decode: base64UrlSafeDecode,
  default: defaultTo,
}
