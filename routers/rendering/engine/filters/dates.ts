import { Drop, type FilterImplOptions, type Liquid } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { type Moment, momentAt } from '../dates/moment.ts'
import { DEFAULT_LANGUAGE, namesIn } from '../dates/names.ts'
import { parseDate } from '../dates/parse.ts'
import { type Display, strftime } from '../dates/strftime.ts'
import { isNil, plain } from '../html.ts'
import { separate } from './arguments.ts'
import { textOf } from './text.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

/** The format of `date` without arguments. */
const USUAL_FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z'

/** A format with a width of three digits, which makes its result longer than itself. */
const WIDE = /%[-_0^#]*(\d{3,})/g

/**
 * The moment that a value stands for: `now`, `today`, the seconds since 1970 as a whole number, or the text of a date.
 * Undefined if it stands for none.
 */
function momentOf(filter: FilterThis, value: unknown): Moment | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? momentAt(value) : undefined
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return momentAt(Number(value))
  if (/^(?:now|today)$/i.test(value)) {
    const ms = readClock(filter)
    return momentAt(Math.floor(ms / 1000), (ms % 1000) * 1_000_000)
  }
  return parseDate(value, () => readClock(filter) / 1000)
}

/** Returns the time, and notes that the page depends on it. */
function readClock(filter: FilterThis): number {
  budgetOf(filter.context).isUnstable = true
  return Date.now()
}

function displayOf(filter: FilterThis, zone: unknown, named: ReadonlyMap<unknown, unknown>): Display {
  const wanted = named.get('timezone') ?? zone
  const number = wanted instanceof Drop ? wanted.valueOf() : wanted
  const language = named.get('lang')
  return {
    zone: typeof number === 'number' ? number : isNil(wanted) ? 'UTC' : textOf(filter, wanted),
    names: namesIn(isNil(language) ? DEFAULT_LANGUAGE : textOf(filter, language)),
  }
}

function format(filter: FilterThis, moment: Moment, written: string, display: Display): string {
  const budget = budgetOf(filter.context)
  for (const [, width] of written.matchAll(WIDE)) budget.use(Number(width))
  const text = strftime(moment, written, display)
  budget.use(text.length)
  return text
}

/** An empty format, and a value that is no date, leave the value unchanged. */
function date(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const { given, named } = separate(this, args)
  const written = given.length === 0 ? USUAL_FORMAT : textOf(this, given[0])
  const moment = written === '' ? undefined : momentOf(this, plain(value))
  return moment ? format(this, moment, written, displayOf(this, given[1], named)) : value
}

/** Creates a filter that prints dates in one format. */
function dateIn(choose: (type: unknown, style: unknown) => string): Handler {
  return function (this: FilterThis, value: unknown, ...args: unknown[]) {
    const { given, named } = separate(this, args)
    const moment = momentOf(this, plain(value))
    if (!moment) return value
    const [type, style] = given.map(plain)
    return format(this, moment, choose(type, style), displayOf(this, undefined, named))
  }
}

/** Jekyll's forms of a day, with the name of the month in a given format. */
const dayIn = (month: string) =>
  dateIn((type, style) => {
    if (type !== 'ordinal') return `%d ${month} %Y`
    return style === 'US' ? `${month} %-d%q, %Y` : `%-d%q ${month} %Y`
  })

/** The filters of dates: Shopify's, Jekyll's, and the arguments `timezone` and `lang` for all of them. */
export const DATE_FILTERS: Liquid['filters'] = {
  date,
  date_to_xmlschema: dateIn(() => '%Y-%m-%dT%H:%M:%S%:z'),
  date_to_rfc822: dateIn(() => '%a, %d %b %Y %H:%M:%S %z'),
  date_to_string: dayIn('%b'),
  date_to_long_string: dayIn('%B'),
}
