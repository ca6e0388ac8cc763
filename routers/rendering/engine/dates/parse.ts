import { clockAt, isPossible, type Moment, momentAt, secondsOf } from './moment.ts'

/** Longer text is no date; so it is in Ruby. */
const LONGEST = 128

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const MONTH_NAMES =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?$/i

/** Everything that Ruby's parser treats as a space. */
const SPACES = /[^-+',./:@[\]\p{L}\p{M}\p{N}]+/gu
const WEEKDAY = /\b(?:sun|mon|tue|wed|thu|fri|sat)[^-/\d\s]*/i
const TIME =
  /(\d+\s*:\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?(?:\s*[ap](?:m\b|\.m\.))?|\d+\s*h(?:\s*\d+m?(?:\s*\d+s?)?)?(?:\s*[ap](?:m\b|\.m\.))?|\d+\s*[ap](?:m\b|\.m\.))(?:\s*((?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[a-z]+(?:\sdst)?\b))?/i
const TIME_PIECES =
  /^(\d+)\s*h?(?:\s*:?\s*(\d+)m?(?:\s*:?\s*(\d+)(?:[,.](\d*))?s?)?)?(?:\s*([ap])(?:m\b|\.m\.))?/i

const DAY_MONTH_YEAR = new RegExp(
  String.raw`('?\d+)[^-\d\s]*\s*(?:of\s+)?((?:${MONTHS})[^-\d\s']*)(?:\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?`,
  'i',
)
const MONTH_DAY_YEAR = new RegExp(
  String.raw`\b((?:${MONTHS})[^-\d\s']*)\s*('?\d+)[^-\d\s']*(?:\s*,?\s*('?-?\d+))?`,
  'i',
)
const ISO = /('?[-+]?\d+)-(\d+)-('?-?\d+)/
const ISO_MONTH = /^\s*(\d{4})-(\d\d)\s*$/
const ISO_DAY_OF_YEAR = /\b(\d{4})-(\d{3})\b/
const DAY_NAME_YEAR = new RegExp(String.raw`('?-?\d+)-((?:${MONTHS})[^-/.]*)-('?-?\d+)`, 'i')
const NAME_DAY_YEAR = new RegExp(String.raw`\b((?:${MONTHS})[^-/.]*)-('?-?\d+)(?:-('?-?\d+))?`, 'i')
const SLASHES = /('?-?\d+)\/\s*('?\d+)(?:\D\s*('?-?\d+))?/
const DOTS = /('?-?\d+)\.\s*('?\d+)\.\s*('?-?\d+)/
const MONTH_ALONE = new RegExp(String.raw`\b((?:${MONTHS})\S*)`, 'i')
const DAY_ALONE = /(\d+)(?:st|nd|rd|th)\b/i
const DIGITS = /(?<!\d)(\d{4})(\d\d)(\d\d)(?:\s*t?\s*(\d\d)(\d\d)?(\d\d)?(?:[,.](\d*))?)?(z\b|[-+]\d{4}\b)?/i

/** Words beside a date or time that do not make it ordinary text. */
const FILLERS = /^(?:[\s,.]|\b(?:at|on|of|the|in|t|utc|uhr)\b)*$/i

/** Zones that Ruby does not know: times in them are printed as they are written. */
const FURTHER_ZONES = /^(?:(?:we|ce|ee)s?t|bst|msk|jst|[ai]st|ae[sd]t|nz[sd]t|(?:utc|gmt)?[-+].*|uhr)$/i

/** Hours east of UTC of the zones that Ruby knows by name. */
const ZONES: Record<string, number> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
}

/** What a text says about a date. `zone` is as written. */
interface Found {
  year?: number
  month?: number
  day?: number
  dayOfYear?: number
  hour?: number
  minute?: number
  second?: number
  nanos?: number
  zone?: string | undefined
  /** Whether the year is written with four digits, with a month and a day: unmistakably a date. */
  isFull?: boolean
}

/**
 * Reads a date as Ruby's `Time.parse` does: in ISO formats and in those that people write, with the day first where
 * only numbers and slashes separate. Unlike Ruby, reads the day first where dots separate, and does not take text for a
 * date because some part of it looks like one: `Room 12` and `May I?` are no dates. Text around a date is only allowed
 * if the date has a month, a day, and a year of four digits.
 *
 * @param now called if the text lacks the year, or more, which are then those of now
 * @returns undefined if the text is no date
 */
export function parseDate(text: string, now: () => number): Moment | undefined {
  if (text.length > LONGEST || (!/\d/.test(text) && !MONTH_ALONE.test(text))) return undefined
  const reader = new DateReader(text.replace(SPACES, ' '))
  reader.read()
  return momentOf(reader.found, now)
}

class DateReader {
  found: Found = {}
  private rest: string

  constructor(text: string) {
    this.rest = text
  }

  read(): void {
    this.take(WEEKDAY)
    const isKnownZone = this.readTime()
    this.readDate()
    const { found } = this
    const isTextOnly = FILLERS.test(this.rest) && isKnownZone
    if (!found.isFull && !isTextOnly) this.found = {}
  }

  /** Removes what a pattern matches. */
  private take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.rest)
    if (match)
      this.rest = `${this.rest.slice(0, match.index)} ${this.rest.slice(match.index + match[0].length)}`
    return match
  }

  /** Returns false if a word stands where the name of a zone could, and is none. */
  private readTime(): boolean {
    const [, time, zone] = this.take(TIME) ?? []
    if (time === undefined) return true
    const [, hour = '0', minute, second, fraction, half] = TIME_PIECES.exec(time) ?? []
    const { found } = this
    found.hour = Number(hour)
    if (half !== undefined) found.hour = (found.hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    if (minute !== undefined) found.minute = Number(minute)
    if (second !== undefined) found.second = Number(second)
    if (fraction !== undefined) found.nanos = nanosOf(fraction)
    found.zone = zone
    return zone === undefined || offsetOf(zone) !== undefined || FURTHER_ZONES.test(zone)
  }

  private readDate(): void {
    for (const [pattern, read] of FORMS) {
      const match = this.take(pattern)
      if (!match) continue
      read(this, match)
      return
    }
  }

  setNamed(year: string | undefined, name: string, day: string | undefined): void {
    this.set(year, String(MONTHS.split('|').indexOf(name.slice(0, 3).toLowerCase()) + 1), day)
    // A word that only begins like a month is a month of another language, such as `novembre`, or none.
    if (!MONTH_NAMES.test(name) && !this.found.isFull) this.found = {}
  }

  /**
   * Sets year, month and day. Without a year, the texts are month and day. A number with more than two digits, or with
   * an apostrophe, is the year wherever it stands.
   */
  set(first: string | undefined, second: string | undefined, third: string | undefined): void {
    let [year, month, day] = [first, second, third]
    if (day === undefined && year !== undefined) [year, month, day] = [undefined, year, month]
    if (year === undefined && isYear(day)) [year, day] = [day, undefined]
    if (year !== undefined && /\d\D/.test(year)) [year, day] = [day, year]
    if (isYear(month)) [year, month, day] = [month, day, year]
    if (isYear(day)) [year, day] = [day, year]
    const { found } = this
    if (year !== undefined) found.year = yearOf(year)
    if (month !== undefined) found.month = numberIn(month)
    if (day !== undefined) found.day = numberIn(day)
    found.isFull = year !== undefined && /\d{4}/.test(year) && month !== undefined && day !== undefined
  }

  /** With dots, the day is first, unless the first number can only be a year. */
  setDotted(first: string, second: string, third: string): void {
    if (first.length > 2 || Number(first) > 31) this.set(first, second, third)
    else this.set(third, second, first)
  }

  setDigits([, year, month, day, hour, minute, second, fraction, zone]: RegExpExecArray): void {
    const { found } = this
    found.year = Number(year)
    found.month = Number(month)
    found.day = Number(day)
    if (hour !== undefined) found.hour = Number(hour)
    if (minute !== undefined) found.minute = Number(minute)
    if (second !== undefined) found.second = Number(second)
    if (fraction !== undefined) found.nanos = nanosOf(fraction)
    if (zone !== undefined) found.zone = zone
  }
}

/** The forms of dates, in the order in which they are tried, and how to read each. */
const FORMS: readonly (readonly [RegExp, (reader: DateReader, match: RegExpExecArray) => void])[] = [
  [DAY_MONTH_YEAR, (reader, [, day, month, year]) => reader.setNamed(year, month!, day)],
  [MONTH_DAY_YEAR, (reader, [, month, day, year]) => reader.setNamed(year, month!, day)],
  [ISO, (reader, [, year, month, day]) => reader.set(year, month, day)],
  [DAY_NAME_YEAR, (reader, [, day, month, year]) => reader.setNamed(year, month!, day)],
  [NAME_DAY_YEAR, (reader, [, month, day, year]) => reader.setNamed(year, month!, day)],
  [SLASHES, (reader, [, first, second, third]) => reader.set(first, second, third)],
  [DOTS, (reader, [, first, second, third]) => reader.setDotted(first!, second!, third!)],
  [
    ISO_DAY_OF_YEAR,
    (reader, [, year, day]) => Object.assign(reader.found, { year: Number(year), dayOfYear: Number(day) }),
  ],
  [
    ISO_MONTH,
    (reader, [, year, month]) => Object.assign(reader.found, { year: Number(year), month: Number(month) }),
  ],
  [DIGITS, (reader, match) => reader.setDigits(match)],
  [MONTH_ALONE, (reader, [, month]) => reader.setNamed(undefined, month!, undefined)],
  [DAY_ALONE, (reader, [, day]) => Object.assign(reader.found, { day: Number(day) })],
]

const isYear = (text: string | undefined): boolean =>
  text !== undefined && (text.startsWith("'") || /^[-+]?\d{3}/.test(text))

const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? Number.NaN)

/** Two digits without a sign are a year from 1969 to 2068. */
function yearOf(text: string): number {
  const [, sign = '', digits = ''] = /([-+]?)(\d+)/.exec(text) ?? []
  const year = Number(sign + digits)
  if (sign !== '' || digits.length > 2) return year
  return year + (year >= 69 ? 1900 : 2000)
}

const nanosOf = (fraction: string): number => Number(fraction.slice(0, 9).padEnd(9, '0'))

/** Seconds east of UTC, or undefined if the zone is unknown; then the time counts as UTC. */
export function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^([-+])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/.exec(zone) ?? []
  if (sign === undefined) {
    const known = ZONES[zone.toUpperCase()]
    return known === undefined ? undefined : known * 3600
  }
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

function momentOf(found: Found, now: () => number): Moment | undefined {
  const { dayOfYear, nanos = 0, zone } = found
  const { hour, minute, second } = found
  const isEmpty = [found.year, found.month, found.day, dayOfYear, hour].every(part => part === undefined)
  if (isEmpty) return undefined
  const offset = zone === undefined ? 0 : (offsetOf(zone) ?? 0)
  let { year, month, day } = found
  if (year === undefined) {
    const today = clockAt(now(), offset)
    year = today.year
    if (month === undefined) {
      month = today.month
      day ??= today.day
    }
  }
  const clock = {
    year,
    month: month ?? 1,
    day: day ?? 1,
    hour: hour ?? 0,
    minute: minute ?? 0,
    second: second ?? 0,
  }
  if (!isPossible(clock)) return undefined
  if (dayOfYear === undefined) return momentAt(secondsOf(clock) - offset, nanos)
  const inYear = secondsOf({ ...clock, day: dayOfYear })
  const isInYear = dayOfYear > 0 && clockAt(secondsOf({ ...clock, day: dayOfYear, hour: 0 }), 0).year === year
  return isInYear ? momentAt(inYear - offset, nanos) : undefined
}
