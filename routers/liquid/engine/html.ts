import { type Comparable, Drop } from 'liquidjs'
import type { Budget } from './budget.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
const SPECIAL = /[&<>"']/
const EVERY_SPECIAL = /[&<>"']/g

/** `text` with the five characters escaped that mean something in HTML. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, character => ESCAPES[character] ?? character) : text
}

type Comparison = keyof Comparable

/**
 * Text that is already output: captured, from a block's parent, or escaped by a filter. It prints as it is, and is
 * plain text for everything else (comparisons, filters, lookups).
 */
export class Html extends Drop implements Comparable {
  readonly html: string
  readonly text: string

  /**
   * @param html what is printed
   * @param text what filters and comparisons see, where that differs
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

  /** `blank`, `empty` and `nil` know how to compare themselves, but only with plain text: they are asked in reverse. */
  private compare(reversed: Comparison, other: unknown, otherwise: boolean) {
    if (other instanceof Html || !(other instanceof Drop)) return otherwise
    const comparable = other as Partial<Comparable>
    return typeof comparable[reversed] === 'function' ? comparable[reversed](this.text) : otherwise
  }
}

/** The text of already printed HTML, anything else unchanged. */
export function plain(value: unknown): unknown {
  return value instanceof Html ? value.text : value
}

/** A value as HTML: escaped, unless it is output already. Lists print their elements one after the other. */
export function print(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return escapeHtml(value)
  return printParts(value, budget, escapeHtml)
}

/** A value as the filter `raw` prints it. */
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
  // A list can hold itself many times over: what it would print doubles with every level.
  let printed = ''
  for (const element of value) {
    const part = printParts(element, budget, encode)
    budget.use(part.length + 1)
    printed += part
  }
  return printed
}
