import { Expression, type QuotedToken, type RangeToken, TagToken, Tokenizer, TypeGuards } from 'liquidjs'
import type { TemplateHint } from '../../api/renderer.ts'
import { TemplateFailure } from './failure.ts'
import { Decimal } from './filters/numbers.ts'
import { HintCollector } from './hints.ts'
import { findEndTag, isOpaque } from './opaque.ts'

/** Name of the internal filter for the ends of ranges. It contains a space, so no template can use it. */
export const RANGE_END = 'range end'

type Options = Parameters<Tokenizer['readTagToken']>[0]

interface OpaqueState {
  /** A private member of liquidjs's tokenizer: where the opaque tag that was just read begins, or -1. */
  rawBeginAt: number
  /** See {@link findEndTag}. */
  unclosed?: Set<string>
}

let collector: HintCollector | undefined

/** Calls `parse`, which parses `body`. Returns its result and the hints for the filters in `body`. */
export function withHints<Result>(
  body: string,
  parse: () => Result,
): { result: Result; hints: TemplateHint[] } {
  const own = new HintCollector()
  collector = own
  try {
    return { result: parse(), hints: own.hintsFor(body) }
  } finally {
    collector = undefined
  }
}

/**
 * Patches methods of liquidjs's tokenizer. liquidjs creates tokenizers in many places, so the patches go to the
 * prototype.
 */
export function patchTokenizer(): void {
  const { prototype } = Tokenizer
  const original = Object.getOwnPropertyDescriptors(prototype)
  // liquidjs exports only the type of this class.
  const Quoted = new Tokenizer('""').readQuoted()!.constructor as new (
    ...args: [input: string, begin: number, end: number, file?: string]
  ) => QuotedToken
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
  // Keep `2.0` a decimal number.
  prototype.readNumber = function (this: Tokenizer) {
    const token = original.readNumber.value!.call(this)
    if (token && Number.isInteger(token.content) && token.getText().includes('.')) {
      token.content = new Decimal(token.content) as unknown as number
    }
    return token
  }
  // A backslash has no meaning in a string. liquidjs treats it as an escape, as JavaScript does.
  prototype.readQuoted = function (this: Tokenizer) {
    this.skipBlank()
    const quote = this.input[this.p]
    if (quote !== '"' && quote !== "'") return undefined
    const begin = this.p
    const end = this.input.indexOf(quote, begin + 1)
    this.p = end === -1 || end >= this.N ? this.N : end + 1
    const token = new Quoted(this.input, begin, this.p, this.file)
    return Object.assign(token, { content: this.input.slice(begin + 1, this.p - 1) })
  }
  prototype.readFilter = function (this: Tokenizer) {
    const token = original.readFilter.value!.call(this)
    if (token) collector?.consider(token)
    return token
  }
  // Comments and documentation are read like raw text, because they may contain anything.
  prototype.readTagToken = function (this: Tokenizer, options: Options) {
    const begin = this.p
    const token = original.readTagToken.value!.call(this, options)
    if (isOpaque(token.name)) (this as unknown as OpaqueState).rawBeginAt = begin
    return token
  }
  prototype.readEndrawOrRawContent = function (this: Tokenizer, options: Options) {
    const state = this as unknown as OpaqueState
    const begin = this.p
    const [, tag = ''] = /^\{%-?\s*(\w+)/.exec(this.input.slice(state.rawBeginAt, begin)) ?? []
    state.unclosed ??= new Set()
    const found = findEndTag(this.input, tag, begin, state.unclosed)
    if (!found) throw this.error(`tag {% ${tag} %} not closed`, state.rawBeginAt)
    if (begin === found.begin) {
      state.rawBeginAt = -1
      this.p = found.end
      return new TagToken(this.input, begin, found.end, options, this.file)
    }
    this.p = found.begin
    const content = original.readHTMLToken.value!.call(this, ['{%'])
    content.begin = begin
    return content
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
 * Makes a range fail if one of its ends is beyond 2^53. Adding 1 to such a large number can have no effect, so
 * a loop might never reach the end of the range. liquidjs evaluates the ends internally. Therefore, this function
 * applies the filter {@link rangeEnd} to both ends, and the filter rejects such numbers.
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
    'A number in this range is too large.',
    'Use smaller numbers in the range, such as (1..10).',
  )
}
