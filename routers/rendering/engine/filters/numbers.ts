import { Drop, type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { ValueError } from '../failure.ts'
import { plain } from '../html.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>

/**
 * A whole number that was written as `2.0`, or calculated from a decimal number. Dividing it, or dividing by
 * it, does not round down. The number prints without `.0`, like numbers from JSON data, which lose their `.0`
 * when they are parsed.
 */
export class Decimal extends Drop {
  readonly number: number

  constructor(number: number) {
    super()
    this.number = number
  }

  override valueOf(): number {
    return this.number
  }

  override toString(): string {
    return String(this.number)
  }

  toJSON(): number {
    return this.number
  }
}

/** Matches text that is a number. Other text counts as the whole number at its beginning: `10px` is 10, as in Ruby. */
const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Maximum length of the text of a number. No number needs more. The rest of a longer text is ignored. */
const LONGEST_NUMBER = 400

function textToNumber(text: string): number {
  const trimmed = text.slice(0, LONGEST_NUMBER).trim()
  const number = NUMERIC.test(trimmed) ? Number(trimmed) : Number.parseInt(trimmed, 10)
  return Number.isFinite(number) ? number : 0
}

/** Converts a value to the number that a filter calculates with; 0 if the value is not a number. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  const unwrapped: unknown = value instanceof Drop ? value.valueOf() : value
  if (typeof unwrapped === 'number') return unwrapped
  return typeof unwrapped === 'string' ? textToNumber(unwrapped) : 0
}

/** Whether a value is a number, or text that is one. */
export function isNumeric(value: unknown): boolean {
  const unwrapped: unknown = value instanceof Drop ? value.valueOf() : value
  if (typeof unwrapped === 'number') return true
  return typeof unwrapped === 'string' && unwrapped.length <= LONGEST_NUMBER && NUMERIC.test(unwrapped.trim())
}

function isDecimal(value: unknown): boolean {
  const unwrapped = plain(value)
  if (typeof unwrapped === 'number') return !Number.isInteger(unwrapped)
  if (typeof unwrapped === 'string') return /^\s*[+-]?\d+\.\d/.test(unwrapped)
  return unwrapped instanceof Decimal
}

/** The number of digits after the decimal point. */
function fractionDigits(number: number): number {
  if (Number.isInteger(number)) return 0
  const [mantissa = '', exponent = '0'] = String(number).split('e')
  const point = mantissa.indexOf('.')
  return Math.max(0, (point === -1 ? 0 : mantissa.length - point - 1) - Number(exponent))
}

/** Maximum number of digits that `toFixed` accepts. */
const MAX_DIGITS = 100

/**
 * Removes the rounding error of binary arithmetic from a result that has at most `digits` digits after the decimal
 * point.
 */
function rounded(result: number, digits: number): number {
  return digits <= MAX_DIGITS && Number.isFinite(result) ? Number(result.toFixed(digits)) : result
}

export function add(left: number, right: number): number {
  return rounded(left + right, Math.max(fractionDigits(left), fractionDigits(right)))
}

function multiply(left: number, right: number): number {
  return rounded(left * right, fractionDigits(left) + fractionDigits(right))
}

/**
 * Multiplies two numbers by the smallest power of ten that makes both whole. Returns the products and the exponent, or
 * the two numbers and 0 if a product would be too large.
 */
function scaled(left: number, right: number): [number, number, digits: number] {
  const digits = Math.max(fractionDigits(left), fractionDigits(right))
  const whole = [left, right].map(number => Math.round(number * 10 ** digits)) as [number, number]
  return whole.every(Number.isSafeInteger) ? [...whole, digits] : [left, right, 0]
}

function divide(left: number, right: number): number {
  const [dividend, divisor] = scaled(left, right)
  return dividend / divisor
}

/** The remainder with the sign of the divisor. */
function remainder(left: number, right: number): number {
  const [dividend, divisor, digits] = scaled(left, right)
  return rounded((((dividend % divisor) + divisor) % divisor) / 10 ** digits, digits)
}

function nonZero(divisor: number): number {
  if (divisor !== 0) return divisor
  throw new ValueError('divided by 0')
}

/**
 * Creates a filter that calculates with two numbers.
 *
 * @param onDecimals used if at least one number is decimal
 */
function calculation(
  onWhole: (left: number, right: number) => number,
  onDecimals: (left: number, right: number) => number,
): Handler {
  return (left: unknown, right: unknown) => {
    if (!isDecimal(left) && !isDecimal(right)) return onWhole(numberOf(left), numberOf(right))
    return decimal(onDecimals(numberOf(left), numberOf(right)))
  }
}

const decimal = (result: number): number | Decimal =>
  Number.isInteger(result) ? new Decimal(result) : result

/**
 * Creates a filter that adjusts a number. The filter can have an argument, such as a bound. Usually, the result has
 * the type of the number: decimal or not. But if the filter replaces the number with the argument, the result has the
 * type of the argument.
 */
function adjustment(adjust: (number: number, argument: number) => number): Handler {
  return (value: unknown, argument: unknown) => {
    const result = adjust(numberOf(value), numberOf(argument))
    const origin = result === numberOf(value) ? value : result === numberOf(argument) ? argument : value
    return isDecimal(origin) ? decimal(result) : result
  }
}

const round = filters.round as Handler

/** Filters that calculate. Calculations with decimal numbers have no binary rounding errors. */
export const NUMBER_FILTERS: Liquid['filters'] = {
  plus: calculation((left, right) => left + right, add),
  minus: calculation(
    (left, right) => left - right,
    (left, right) => add(left, -right),
  ),
  times: calculation((left, right) => left * right, multiply),
  divided_by: calculation(
    (left, right) => Math.floor(left / nonZero(right)),
    (left, right) => divide(left, nonZero(right)),
  ),
  modulo: calculation(
    (left, right) => remainder(left, nonZero(right)),
    (left, right) => remainder(left, nonZero(right)),
  ),
  abs: adjustment(Math.abs),
  at_least: adjustment(Math.max),
  at_most: adjustment(Math.min),
  ceil: value => Math.ceil(numberOf(value)),
  floor: value => Math.floor(numberOf(value)),
  round(value: unknown, digits: unknown) {
    return round.call(this, numberOf(value), Math.trunc(numberOf(digits)))
  },
}
