import { Drop, defaultOperators, type Operators, Tokenizer, toValue } from 'liquidjs'

const literal = (name: string): unknown => new Tokenizer(name).readLiteral()?.content
const NIL = literal('nil')
const BLANK = literal('blank')

const isNilAndBlank = (left: unknown, right: unknown) =>
  (left === NIL && right === BLANK) || (left === BLANK && right === NIL)

const call = (operator: string, left: unknown, right: unknown) =>
  (defaultOperators[operator] as (left: unknown, right: unknown) => Generator<unknown, boolean>)(left, right)

const isKey = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** Whether a value is nothing that can be smaller or greater: a boolean, a list, or missing. */
function hasNoOrder(value: unknown): boolean {
  const inner: unknown = toValue(value)
  return inner === undefined || inner === null || typeof inner === 'boolean' || Array.isArray(inner)
}

/** Creates an operator that compares two values by size; false for values without an order. */
const ordered = (operator: '<' | '<=' | '>' | '>=') =>
  function* (left: unknown, right: unknown): Generator<unknown, boolean> {
    return hasNoOrder(left) || hasNoOrder(right) ? false : yield* call(operator, left, right)
  }

function isMissing(value: unknown): boolean {
  const inner: unknown = toValue(value)
  return inner === undefined || inner === null
}

/** A variable that does not exist equals a value that is null. */
function* equals(left: unknown, right: unknown): Generator<unknown, boolean> {
  if (isMissing(left) && isMissing(right)) return true
  return isNilAndBlank(left, right) || (yield* call('==', left, right))
}

function* differs(left: unknown, right: unknown): Generator<unknown, boolean> {
  return !(yield* equals(left, right))
}

/** The operators of conditions, corrected where liquidjs differs from Shopify. */
export const OPERATORS: Operators = {
  ...defaultOperators,
  '==': equals,
  '!=': differs,
  '<>': differs,
  '<': ordered('<'),
  '<=': ordered('<='),
  '>': ordered('>'),
  '>=': ordered('>='),
  /** No value contains `nil` or `false`. An object contains its keys. */
  *contains(left: unknown, right: unknown) {
    const wanted: unknown = toValue(right)
    if (wanted === undefined || wanted === null || wanted === false) return false
    const within: unknown = toValue(left)
    const isObject = typeof within === 'object' && within !== null && !Array.isArray(within)
    if (isObject) return !(within instanceof Drop) && isKey(wanted) && Object.hasOwn(within, wanted)
    return yield* call('contains', left, right)
  },
}
