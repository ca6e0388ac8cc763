import { Expression, type RangeToken, Tokenizer, TypeGuards } from 'liquidjs'
import { TemplateFailure } from './failure.ts'

/** Name of the internal filter for the ends of ranges. It contains a space, so no template can use it. */
export const RANGE_END = 'range end'

/**
 * Patches two methods of liquidjs's tokenizer. liquidjs creates tokenizers in many places, so the patches go to the
 * prototype.
 */
export function patchTokenizer(): void {
  const { prototype } = Tokenizer
  const original = Object.getOwnPropertyDescriptors(prototype)
  prototype.readGroupOrRange = function (this: Tokenizer) {
    const token = original.readGroupOrRange.value?.call(this)
    if (token && TypeGuards.isRangeToken(token)) boundRange(token)
    return token
  }
  // Bodies are mostly text: skip from brace to brace instead of checking every character.
  prototype.readHTMLToken = function (this: Tokenizer, stops: string[]) {
    if (stops[0] !== '{%' || stops[1] !== '{{') return original.readHTMLToken.value!.call(this, stops)
    const begin = this.p
    this.p = textEnd(this.input, begin, this.N)
    const token = original.readHTMLToken.value!.call(this, stops)
    token.begin = begin
    return token
  }
}

function textEnd(input: string, from: number, limit: number): number {
  for (let at = input.indexOf('{', from); at !== -1 && at < limit; at = input.indexOf('{', at + 1)) {
    const next = input[at + 1]
    if (next === '%' || next === '{') return at
  }
  return limit
}

/**
 * Beyond 2^53 adding one changes nothing, so a range would never reach its end. liquidjs evaluates the ends internally;
 * they are replaced by values with the filter {@link rangeEnd}, which rejects such numbers.
 */
function boundRange(range: RangeToken): void {
  range.lhs = throughFilter(range.lhs)
  range.rhs = throughFilter(range.rhs)
}

function throughFilter(end: RangeToken['lhs']): RangeToken['lhs'] {
  const token = new Tokenizer('0 | f').readFilteredValue()
  token.initial = new Expression([end])
  for (const filter of token.filters) filter.name = RANGE_END
  return token
}

/** Converts the end of a range to a whole number; anything that is not a number is 0. */
export function rangeEnd(value: unknown): number {
  const end = Math.trunc(Number(value)) || 0
  if (Math.abs(end) < Number.MAX_SAFE_INTEGER) return end
  throw new TemplateFailure(
    'render',
    'This range uses a number beyond the largest whole number.',
    'Use smaller numbers in the range, such as (1..10).',
  )
}
