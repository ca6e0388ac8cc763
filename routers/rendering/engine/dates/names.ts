import { LRUCache } from 'lru-cache'
import { offsetOf } from './parse.ts'

/** Maximum number of cached languages and of cached time zones; creating a formatter takes longer than a date. */
const MAX_CACHED = 32

/** The language of names, unless a template asks for another. Also used for languages that are not known. */
export const DEFAULT_LANGUAGE = 'en'

/** January 1970 had a Thursday as its first day. */
const FIRST_SUNDAY = 4

type Length = 'short' | 'long'

/** Names of months and days in a language. */
export class DateNames {
  readonly locale: string
  private readonly known = new Map<string, string>()

  constructor(locale: string) {
    this.locale = locale
  }

  /** @param weekday 0 is Sunday */
  weekday(weekday: number, length: Length): string {
    return this.once(`${length} day ${weekday}`, () =>
      this.format({ weekday: length }, new Date(Date.UTC(1970, 0, FIRST_SUNDAY + weekday))),
    )
  }

  /** @param withDay whether the name stands beside a day, where some languages inflect it */
  month(month: number, length: Length, withDay: boolean): string {
    return this.once(`${length} month ${month} ${withDay}`, () =>
      this.format(
        { month: length, ...(withDay && { day: 'numeric' }) },
        new Date(Date.UTC(1970, month - 1, 1)),
      ),
    )
  }

  private once(key: string, name: () => string): string {
    let known = this.known.get(key)
    if (known === undefined) {
      known = name()
      this.known.set(key, known)
    }
    return known
  }

  private format(options: Intl.DateTimeFormatOptions, date: Date): string {
    const wanted = options.weekday === undefined ? 'month' : 'weekday'
    const format = new Intl.DateTimeFormat([this.locale, DEFAULT_LANGUAGE], {
      ...options,
      timeZone: 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
    })
    return format.formatToParts(date).find(({ type }) => type === wanted)?.value ?? ''
  }
}

const languages = new LRUCache<string, DateNames>({ max: MAX_CACHED })

/** Returns the names in a language such as `de` or `pt-BR`; the English ones if there is no such language. */
export function namesIn(language: string): DateNames {
  let names = languages.get(language)
  if (!names) {
    names = new DateNames(isLanguage(language) ? language : DEFAULT_LANGUAGE)
    languages.set(language, names)
  }
  return names
}

/** Whether there are names in this language. */
export function isLanguage(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}

const zones = new LRUCache<string, { offset: Intl.DateTimeFormat } | { unknown: true }>({ max: MAX_CACHED })

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  let known = zones.get(zone)
  if (!known) {
    try {
      known = { offset: new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }) }
    } catch {
      known = { unknown: true }
    }
    zones.set(zone, known)
  }
  return 'offset' in known ? known.offset : undefined
}

/** Whether a zone is a known name, or an offset. */
export function isZone(zone: string): boolean {
  return offsetOf(zone) !== undefined || formatOf(zone) !== undefined
}

/** Seconds east of UTC at a moment; 0 for an unknown zone. */
export function offsetIn(zone: string | number, seconds: number): number {
  if (typeof zone === 'number') return Math.abs(zone) < 24 * 60 ? Math.trunc(-zone) * 60 : 0
  if (zone === 'UTC') return 0
  const fixed = offsetOf(zone)
  if (fixed !== undefined) return fixed
  return shortOffset(formatOf(zone), seconds)
}

function shortOffset(format: Intl.DateTimeFormat | undefined, seconds: number): number {
  if (!format) return 0
  const name = partOf(format, seconds)
  const [, sign, hours = '0', minutes = '0', rest = '0'] =
    /([-+])(\d+):(\d+)(?::(\d+))?$/.exec(name.replace('−', '-')) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
}

function partOf(format: Intl.DateTimeFormat, seconds: number): string {
  const parts = format.formatToParts(seconds * 1000)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** The usual abbreviation of a zone at a moment, such as `CET`; its offset if it has none. */
export function zoneName(zone: string | number, seconds: number, locale: string): string {
  if (typeof zone === 'string' && offsetOf(zone) === undefined && formatOf(zone)) {
    const format = new Intl.DateTimeFormat([locale, DEFAULT_LANGUAGE], {
      timeZone: zone,
      timeZoneName: 'short',
    })
    return partOf(format, seconds)
  }
  return 'UTC'
}
