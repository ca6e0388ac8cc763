import { type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { Html, isNil, plain, printRaw } from '../html.ts'
import { separate } from './arguments.ts'
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

function append(this: FilterThis, value: unknown, added: unknown): string {
  return textOf(this, value) + textOf(this, added)
}

function prepend(this: FilterThis, value: unknown, added: unknown): string {
  return textOf(this, added) + textOf(this, value)
}

/** Returns a piece of a list or text, by default of one element. */
function slice(this: FilterThis, value: unknown, begin: unknown, length: unknown): unknown {
  const whole = plain(value)
  const from = Math.trunc(numberOf(begin))
  const sliced = Array.isArray(whole) ? whole : textOf(this, whole)
  const count = isNil(length) ? 1 : Math.min(Math.trunc(numberOf(length)), sliced.length)
  return (filters.slice as Handler).call(this, sliced, from, count)
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
  // As in Ruby, white space after the last word counts like a further word, and a no-break space is part of a word.
  const words = text.replace(/^[\t-\r ]+/, '').split(/[\t-\r ]+/)
  const kept = Math.max(1, Math.trunc(numberOf(count)))
  return words.length <= kept ? text : words.slice(0, kept).join(' ') + ending
}

/** Safe HTML stays safe. An empty object counts as empty, like an empty list. */
function defaultTo(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  if (value instanceof Html && value.text !== '') return value
  const { given, named } = separate(this, args)
  const replacement = given[0] ?? ''
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
  append,
  prepend,
  slice,
  split,
  truncate,
  truncatewords: truncateWords,
  default: defaultTo,
}
