import { Drop, type FilterImplOptions, filters, type Liquid, TypeGuards } from 'liquidjs'
import { budgetOf } from './context.ts'
import { escapeHtml, Html, plain, print, printRaw } from './html.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

const ENTITY = /&(?:amp|lt|gt|quot|#34|#39);/g
const UNESCAPED: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
}

function textOf(this: FilterThis, value: unknown): string {
  const budget = budgetOf(this.context)
  const text = printRaw(plain(value), budget)
  budget.use(text.length)
  return text
}

/** Escaped text counts as printed: it is not escaped again, whatever filter follows. */
function escaped(this: FilterThis, value: unknown): Html {
  return new Html(escapeHtml(textOf.call(this, value)))
}

function escapeOnce(this: FilterThis, value: unknown): Html {
  const text = textOf.call(this, value).replace(ENTITY, entity => UNESCAPED[entity] ?? entity)
  return new Html(escapeHtml(text))
}

/** Line breaks become `<br />`; the text around them is escaped unless `raw` follows. */
function newlineToBreak(this: FilterThis, value: unknown): Html {
  const text = textOf.call(this, value)
  const html = value instanceof Html ? value.html : escapeHtml(text)
  return new Html(withBreaks(html), withBreaks(text))
}

function withBreaks(text: string): string {
  return text.replace(/\r?\n/g, '<br />\n')
}

/** Printed text stays printed; empty printed text is replaced like any other empty text. */
function defaultTo(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const handler = filters.default as Handler
  return value instanceof Html && value.text !== '' ? value : handler.call(this, plain(value), ...args)
}

/** Joins a list to one text; printed text in the list stays printed. */
function join(this: FilterThis, value: unknown, separator: unknown = ' '): unknown {
  const budget = budgetOf(this.context)
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const encode = list.some(element => element instanceof Html) ? print : printRaw
  const between = encode(separator ?? ' ', budget)
  let joined = ''
  for (const [index, element] of list.entries()) {
    const part = encode(element, budget)
    budget.use(part.length + between.length)
    joined += index === 0 ? part : between + part
  }
  return encode === print ? new Html(joined) : joined
}

function unique(this: FilterThis, value: unknown): unknown[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return [...new Map(list.map(element => [plain(element), element])).values()]
}

/** The length of a text or list; 0 for anything else. */
function size(value: unknown): number {
  const measured = plain(value)
  if (typeof measured === 'string' || Array.isArray(measured)) return measured.length
  return 0
}

/** A whole number that was written as `2.0`, or calculated from such a number: dividing by it does not round down. */
class Decimal extends Drop {
  readonly number: number

  constructor(number: number) {
    super()
    this.number = number
  }

  override valueOf(): number {
    return this.number
  }

  toJSON(): number {
    return this.number
  }
}

function numberOf(value: unknown): number {
  return Number(value instanceof Drop ? value.valueOf() : value) || 0
}

/** Whether a filter argument counts as a decimal: it has a fraction, or is written with a point, like `2.0`. */
function isDecimal(this: FilterThis, value: unknown, position?: number): boolean {
  if (value instanceof Decimal || !Number.isInteger(numberOf(value))) return true
  const written = position === undefined ? undefined : this.token.args[position]
  return written !== undefined && !Array.isArray(written) && TypeGuards.isNumberToken(written)
    ? written.getText().includes('.')
    : false
}

function arithmetic(calculate: (left: number, right: number) => number): Handler {
  return function (left: unknown, right: unknown) {
    const result = calculate(numberOf(left), numberOf(right))
    const decimal = isDecimal.call(this, left) || isDecimal.call(this, right, 0)
    return decimal && Number.isInteger(result) ? new Decimal(result) : result
  }
}

/** Dividing whole numbers rounds down, as Shopify documents it. */
function dividedBy(this: FilterThis, left: unknown, right: unknown): unknown {
  const quotient = numberOf(left) / numberOf(right)
  const decimal = isDecimal.call(this, left) || isDecimal.call(this, right, 0)
  if (!decimal) return Math.floor(quotient)
  return Number.isInteger(quotient) ? new Decimal(quotient) : quotient
}

function truncateWords(
  this: FilterThis,
  value: unknown,
  count: unknown = 15,
  ending: unknown = '...',
): string {
  const text = textOf.call(this, value)
  const words = text.trim().split(/\s+/)
  const kept = Math.max(1, Math.trunc(numberOf(count)))
  return words.length <= kept ? text : words.slice(0, kept).join(' ') + textOf.call(this, ending)
}

function base64Encode(this: FilterThis, value: unknown): string {
  return Buffer.from(textOf.call(this, value), 'utf8').toString('base64url')
}

/** Keeps the padding, as Ruby and Shopify's examples do. */
function base64UrlSafeEncode(this: FilterThis, value: unknown): string {
  const encoded = base64Encode.call(this, value)
  return encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=')
}

function base64UrlSafeDecode(this: FilterThis, value: unknown): string {
  const text = textOf.call(this, value).replace(/\s/g, '')
  if (!/^[\w-]*={0,2}$/.test(text)) throw new Error('invalid base64 provided to base64_url_safe_decode')
  return Buffer.from(text, 'base64url').toString('utf8')
}

/** Filters that liquidjs lacks, or whose behaviour there differs from what authors expect. */
export const CUSTOM_FILTERS: Liquid['filters'] = {
  escape: escaped,
  h: escaped,
  xml_escape: escaped,
  escape_once: escapeOnce,
  default: defaultTo,
  newline_to_br: newlineToBreak,
  join,
  uniq: unique,
  size,
  plus: arithmetic((left, right) => left + right),
  minus: arithmetic((left, right) => left - right),
  times: arithmetic((left, right) => left * right),
  divided_by: dividedBy,
  truncatewords: truncateWords,
  base64_url_safe_encode: base64UrlSafeEncode,
  base64_url_safe_decode: base64UrlSafeDecode,
}
