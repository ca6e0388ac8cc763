import type { FilterImplOptions, Liquid } from 'liquidjs'
import type { Budget } from '../budget.ts'
import { budgetOf, type SafeContext } from '../context.ts'
import { Html, plain, print } from '../html.ts'
import { RANGE_END, rangeEnd } from '../tokenizer.ts'
import { CUSTOM_FILTERS } from './custom.ts'
import { textOf } from './text.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>

/**
 * Filters that return safe HTML for safe HTML: `{{ captured | strip }}` is not escaped again. Their arguments are
 * escaped unless they are safe HTML too.
 */
const KEEP_HTML = new Set([
  'append',
  'prepend',
  'strip',
  'lstrip',
  'rstrip',
  'strip_newlines',
  'strip_html',
  'squish',
  'normalize_whitespace',
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
  'truncate',
  'truncatewords',
  'split',
  'upcase',
  'downcase',
  'capitalize',
  'slice',
])

/** Filters of liquidjs that work on text, and would print the lists and objects that they get as `[object Object]`. */
const ON_TEXT = new Set([
  'strip',
  'lstrip',
  'rstrip',
  'strip_newlines',
  'strip_html',
  'squish',
  'normalize_whitespace',
  'replace_first',
  'replace_last',
  'remove_first',
  'remove_last',
  'upcase',
  'downcase',
  'capitalize',
])

/** Filters that return safe HTML if the filtered value or an argument is safe HTML. */
const JOINING = new Set(['append', 'prepend'])

/** Filters that handle safe HTML themselves, or return values unchanged. */
const PASS_THROUGH = new Set([
  'default',
  'first',
  'last',
  'concat',
  'push',
  'unshift',
  'pop',
  'shift',
  'reverse',
  'compact',
  'map',
  'find',
  'where',
  'reject',
  'has',
  'find_index',
  'sum',
  'escape',
  'h',
  'xml_escape',
  'escape_once',
  'newline_to_br',
  'join',
  'uniq',
])

/** Filters that can return another result at the next visit. Date filters note themselves when they read the clock. */
const RANDOM = new Set(['sample', 'shuffle'])

/** Units charged for each element of a list that a filter returns, because the list stays in memory. */
const ELEMENT_CHARGE = 8

/** Registers every filter, and makes it charge the budget and support safe HTML. */
export function registerFilters(liquid: Liquid): void {
  for (const [name, filter] of Object.entries({ ...liquid.filters, ...CUSTOM_FILTERS })) {
    const handler = typeof filter === 'function' ? filter : filter.handler
    const raw = typeof filter === 'function' ? false : filter.raw
    liquid.registerFilter(name, { raw, handler: withBudget(name, handler) })
  }
  liquid.registerFilter(RANGE_END, rangeEnd)
}

function withBudget(name: string, handler: Handler): Handler {
  const adapt = PASS_THROUGH.has(name) ? handler : htmlAware(name, handler)
  return function (value: unknown, ...args: unknown[]) {
    const budget = budgetOf(this.context)
    if (RANDOM.has(name)) budget.isUnstable = true
    charge(value, budget)
    for (const arg of args) charge(arg, budget)
    const result: unknown = adapt.call(this, value, ...args)
    if (Array.isArray(result)) budget.use(result.length * ELEMENT_CHARGE)
    return result
  }
}

/**
 * Charges the budget for a value that a filter gets: for the length of a text, or of all texts in a list. Texts in a
 * list count, because most filters join the list into one text.
 */
function charge(value: unknown, budget: Budget): void {
  if (typeof value === 'string') budget.use(value.length >> 3)
  else if (Array.isArray(value)) chargeList(value, budget)
}

function chargeList(list: unknown[], budget: Budget): void {
  budget.use(list.length)
  for (const element of list) {
    if (typeof element === 'string') budget.use(element.length >> 3)
    else if (Array.isArray(element)) chargeList(element, budget)
  }
}

function textOfStructure(value: unknown, filter: ThisParameterType<Handler>): unknown {
  return typeof value === 'object' && value !== null ? textOf(filter, value) : value
}

function htmlAware(name: string, handler: Handler): Handler {
  const keeps = KEEP_HTML.has(name)
  const toText = ON_TEXT.has(name) ? textOfStructure : (value: unknown) => value
  const joins = JOINING.has(name)
  return function (value: unknown, ...args: unknown[]) {
    const printed = keeps && (value instanceof Html || (joins && args.some(arg => arg instanceof Html)))
    if (!printed) return handler.call(this, toText(plain(value), this), ...args.map(plain))
    const budget = (this.context as SafeContext).budget
    const inserted = args.map(arg => (typeof arg === 'number' ? arg : print(arg, budget)))
    const result: unknown = handler.call(this, print(value, budget), ...inserted)
    return Array.isArray(result) ? result.map(part => new Html(String(part))) : new Html(String(result))
  }
}
