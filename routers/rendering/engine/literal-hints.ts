import { isLanguage, isZone } from './dates/names.ts'
import { isDirective } from './dates/strftime.ts'
import { isCurrency } from './filters/money.ts'

/** The part of liquidjs's filter token that is used here. */
export interface WrittenFilter {
  name: string
  args: readonly unknown[]
  input: string
  begin: number
}

/** Maximum length of a text in a hint, in characters. */
const LONGEST = 60

/** Escapes of other languages; Liquid has none. */
const ESCAPES = /^\\(?:r\\n|[nrt])$/

/** The filters whose arguments are checked. */
const CHECKED = /^(?:date|money|split|join|replace|remove|append|prepend|strip)/

/** A problem of a filter whose arguments are written literally: an unknown time zone, a line break as `\n`, and so on. */
export function literalProblem({ name, args }: WrittenFilter): string | undefined {
  if (args.length === 0 || !CHECKED.test(name)) return undefined
  const texts = new Map<string | number, string>()
  for (const [index, arg] of args.entries()) {
    const [key, value] = Array.isArray(arg) ? (arg as [string, unknown]) : [index, arg]
    const text = literalText(value)
    if (text !== undefined) texts.set(key, text)
  }
  for (const text of texts.values())
    if (ESCAPES.test(text))
      return `“${text}” is not a line break or tab, because Liquid has no escapes: capture one with {% capture %}.`
  if (name.startsWith('date')) return dateProblem(name, texts)
  return name.startsWith('money') ? moneyProblem(texts) : undefined
}

function dateProblem(name: string, texts: ReadonlyMap<string | number, string>): string | undefined {
  const zone = texts.get('timezone') ?? (name === 'date' ? texts.get(1) : undefined)
  if (zone !== undefined && !isZone(zone))
    return `There is no time zone “${clip(zone)}”, so the time is in UTC. Use a name such as "Europe/Berlin".`
  const format = name === 'date' ? texts.get(0) : undefined
  for (const [directive, letter] of format?.matchAll(/%[-_0^#]*\d*:{0,3}(.)/g) ?? [])
    if (!isDirective(letter!) && !/[EO]/.test(letter!))
      return `“${clip(directive)}” has no meaning in a date format, so it is printed as it is.`
  return languageProblem(texts)
}

function moneyProblem(texts: ReadonlyMap<string | number, string>): string | undefined {
  const currency = texts.get('currency') ?? texts.get(0)
  if (currency !== undefined && !isCurrency(currency))
    return `“${clip(currency)}” is not the code of a currency, so the price is in USD. Use a code such as "EUR".`
  return languageProblem(texts)
}

function languageProblem(texts: ReadonlyMap<string | number, string>): string | undefined {
  const language = texts.get('lang')
  return language === undefined || isLanguage(language)
    ? undefined
    : `There is no language “${clip(language)}”, so the names are English. Use a code such as "de" or "pt-BR".`
}

/** The text of an argument that is written in quotes. liquidjs's tokens for quoted text begin at the quote. */
function literalText(token: unknown): string | undefined {
  if (typeof token !== 'object' || token === null) return undefined
  const { content, input, begin } = token as { content?: unknown; input?: string; begin?: number }
  const isQuoted = input !== undefined && begin !== undefined && /["']/.test(input[begin] ?? '')
  return isQuoted && typeof content === 'string' ? content : undefined
}

const clip = (text: string) => text.slice(0, LONGEST).toWellFormed()
