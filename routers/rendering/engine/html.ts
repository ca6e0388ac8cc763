import { type Comparable, Drop } from 'liquidjs'
import type { Budget } from './budget.ts'
import { escapeHtml } from './escape-html.ts'
import { structureOf } from './structure.ts'

type Comparison = keyof Comparable

/**
 * Safe HTML: captured text, `block.super`, or the result of an escaping filter. It is not escaped again. For
 * comparisons, filters and lookups it is plain text.
 */
export class Html extends Drop implements Comparable {
  readonly html: string
  readonly text: string

  /**
   * @param html the markup to print
   * @param text the text that filters and comparisons see, if it differs from `html`
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
   * Swaps the operands if `other` is `blank`, `empty` or `nil`, because only these know how to compare themselves with
   * a string.
   */
  private compare(reversed: Comparison, other: unknown, otherwise: boolean) {
    if (other instanceof Html || !(other instanceof Drop)) return otherwise
    const comparable = other as Partial<Comparable>
    return typeof comparable[reversed] === 'function' ? comparable[reversed](this.text) : otherwise
  }
}

/** Returns the text of safe HTML, and any other value unchanged. */
export function plain(value: unknown): unknown {
  return value instanceof Html ? value.text : value
}

/** Whether a value is missing: undefined, null, or the literal `nil`. */
export function isNil(value: unknown): boolean {
  const inner: unknown = value instanceof Drop ? value.valueOf() : value
  return inner === undefined || inner === null
}

/** Returns a value as HTML: escaped, unless it is safe HTML. Lists print their elements in order. */
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
  if (value instanceof Drop) {
    const inner: unknown = value.valueOf()
    return inner === value ? '' : printParts(inner, budget, encode)
  }
  if (!Array.isArray(value)) return encode(structureOf(value, budget))
  // A list can contain another list many times, so output can double with every level.
  let printed = ''
  for (const element of value) {
    const part = printParts(element, budget, encode)
    budget.use(part.length + 1)
    printed += part
  }
  return printed
}
