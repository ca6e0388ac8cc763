import { Expression, type RangeToken, Tokenizer, TypeGuards } from 'liquidjs'
import { TemplateFault } from './fault.ts'

/** The name of the internal filter that a range's ends go through. No template can write it: it holds a space. */
export const RANGE_END = 'range end'

/**
 * The tokenizer is liquidjs's own, created in many of its places; these two repairs therefore go to its prototype.
 * The process that does this exists for nothing but templates.
 */
export function repairTokenizer(): void {
  const { prototype } = Tokenizer
  const own = Object.getOwnPropertyDescriptors(prototype)
  prototype.readGroupOrRange = function (this: Tokenizer) {
    const token = own.readGroupOrRange.value?.call(this)
    if (token && TypeGuards.isRangeToken(token)) boundRange(token)
    return token
  }
  // Text is what bodies mostly consist of: skip from brace to brace instead of looking at every character.
  prototype.readHTMLToken = function (this: Tokenizer, stops: string[]) {
    if (stops[0] !== '{%' || stops[1] !== '{{') return own.readHTMLToken.value!.call(this, stops)
    const begin = this.p
    this.p = textEnd(this.input, begin, this.N)
    const token = own.readHTMLToken.value!.call(this, stops)
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
 * Beyond 2^53 adding one changes nothing, and a range would never reach its end. Its ends are evaluated deep inside
 * liquidjs; so they become values with a filter, which is {@link rangeEnd}.
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

/** An end of a range as a whole number; what is no number counts as 0. */
export function rangeEnd(value: unknown): number {
  const end = Math.trunc(Number(value)) || 0
  if (Math.abs(end) < Number.MAX_SAFE_INTEGER) return end
  throw new TemplateFault(
    'render',
    'A range ends beyond the largest whole number.',
    'Use smaller numbers in the parentheses, such as (1..10).',
  )
}
