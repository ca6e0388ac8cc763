import { type Comparable, Drop } from 'liquidjs'
import type { Budget } from './budget.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const SPECIAL = /[&<>"']/
const EVERY_SPECIAL = /[&<>"']/g

/** Escapes the five characters that have a meaning in HTML. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, character => ESCAPES[character] ?? character) : text
}

type Comparison = keyof Comparable

/**
 * Printed text: captured, from `block.super`, or escaped by a filter. It is not escaped again; for comparisons, filters
 * and lookups it is plain text.
 */
export class Html extends Drop implements Comparable {
  readonly html: string
  readonly text: string

  /**
   * @param html the markup to print
   * @param text what filters and comparisons see, if different
   */
  constructor(html: string, text = html) {
    super()
    this.html = html
    this.text = text
  }

  get size(): number {
    return this.text.length
  }

  override valueOf(): string {
    return this.text
  }

  override toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }

  equals(other: unknown) {
    return this.compare('equals', other, this.text === plain(other))
  }

  gt(other: unknown) {
    return this.compare('lt', other, this.text > String(plain(other)))
  }

  geq(other: unknown) {
    return this.compare('leq', other, this.text >= String(plain(other)))
  }

  lt(other: unknown) {
    return this.compare('gt', other, this.text < String(plain(other)))
  }

  leq(other: unknown) {
    return this.compare('geq', other, this.text <= String(plain(other)))
  }

  /**
   * Reverses the comparison for `blank`, `empty` and `nil`, because they can compare themselves with plain text only.
   */
  private compare(reversed: Comparison, other: unknown, otherwise: boolean) {
    if (other instanceof Html || !(other instanceof Drop)) return otherwise
    const comparable = other as Partial<Comparable>
    return typeof comparable[reversed] === 'function' ? comparable[reversed](this.text) : otherwise
  }
}

/** Returns the text of printed text, and anything else unchanged. */
export function plain(value: unknown): unknown {
  return value instanceof Html ? value.text : value
}

/** A value as HTML: escaped, unless it is printed text. Lists print their elements in order. */
export function print(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return escapeHtml(value)
  return printParts(value, budget, escapeHtml)
}

/** A value as HTML without escaping, for the filter `raw`. */
export function printRaw(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value
  return printParts(value, budget, text => text)
}

function printParts(value: unknown, budget: Budget, encode: (text: string) => string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return encode(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Html) return value.html
  if (value instanceof Drop) return printParts(value.valueOf(), budget, encode)
  if (!Array.isArray(value)) return '[object Object]'
  // A list can contain another list many times, so output can double with every level.
  let printed = ''
  for (const element of value) {
    const part = printParts(element, budget, encode)
    budget.use(part.length + 1)
    printed += part
  }
  return printed
}
