import type { FilterImplOptions, Liquid } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { DEFAULT_LANGUAGE, isLanguage } from '../dates/names.ts'
import { isNil, plain } from '../html.ts'
import { separate } from './arguments.ts'
import { isNumeric, numberOf } from './numbers.ts'
import { textOf } from './text.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

export const DEFAULT_CURRENCY = 'USD'

/** Maximum number of cached formats; creating one takes longer than using it. */
const MAX_CACHED = 32

const formats = new LRUCache<string, Intl.NumberFormat>({ max: MAX_CACHED })

type Options = Intl.NumberFormatOptions & { language: string }

function formatOf({ language, ...options }: Options): Intl.NumberFormat {
  const key = JSON.stringify([language, options])
  let known = formats.get(key)
  if (!known) {
    known = new Intl.NumberFormat([isLanguage(language) ? language : DEFAULT_LANGUAGE, DEFAULT_LANGUAGE], {
      numberingSystem: 'latn',
      ...options,
    })
    formats.set(key, known)
  }
  return known
}

/** Whether this is the code of a currency, such as `EUR`. */
export function isCurrency(code: string): boolean {
  return /^[a-z]{3}$/i.test(code)
}

interface Price {
  amount: number
  currency: string
  language: string
}

/**
 * Creates a filter for a price. As in Shopify, the value counts hundredths, such as cents, for every currency. Values
 * that are no numbers stay as they are.
 */
function price(print: (price: Price) => string): Handler {
  return function (this: FilterThis, value: unknown, ...args: unknown[]) {
    const number = plain(value)
    if (!isNumeric(number)) return value
    const { given, named } = separate(this, args)
    const code = named.get('currency') ?? given[0]
    const currency = isNil(code) ? DEFAULT_CURRENCY : textOf(this, code)
    const language = named.get('lang')
    return print({
      amount: numberOf(number) / 100,
      currency: isCurrency(currency) ? currency.toUpperCase() : DEFAULT_CURRENCY,
      language: isNil(language) ? DEFAULT_LANGUAGE : textOf(this, language),
    })
  }
}

function money({ amount, currency, language }: Price): string {
  return formatOf({ language, style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(amount)
}

export const MONEY_FILTERS: Liquid['filters'] = {
  money: price(money),
  money_with_currency: price(each => `${money(each)} ${each.currency}`),
  money_without_currency: price(({ amount, currency, language }) => {
    const { maximumFractionDigits: digits } = formatOf({
      language,
      style: 'currency',
      currency,
    }).resolvedOptions()
    return formatOf({ language, minimumFractionDigits: digits!, maximumFractionDigits: digits! }).format(
      amount,
    )
  }),
  money_without_trailing_zeros: price(({ amount, currency, language }) =>
    formatOf({
      language,
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      trailingZeroDisplay: 'stripIfInteger',
    }).format(amount),
  ),
}
