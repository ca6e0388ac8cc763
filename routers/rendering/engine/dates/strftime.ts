import { clockAt, type Moment } from './moment.ts'
import { type DateNames, offsetIn, zoneName } from './names.ts'

/** Where and in which language a date is printed. */
export interface Display {
  /** A name such as `Europe/Berlin`, an offset such as `+01:00`, or minutes west of UTC. */
  zone: string | number
  names: DateNames
}

/** A directive with wider padding is printed as it is written; so it is in Ruby, roughly. */
const WIDEST = 1024

/** Flags, width, colons, a modifier, which has no effect, and the letter. */
const DIRECTIVE = /%([-_0^#]*)(\d*)(:{0,3})(E(?=[cCxXyY])|O(?=[deHkIlmMSuUVwWy]))?([a-zA-Z%])/g

/** Letters that stand for several directives. */
const COMPOUND: Record<string, string> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  v: '%e-%^b-%4Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
}

const DAY_MS = 86_400_000

type Zoned = ReturnType<typeof clockAt> & { moment: Moment; offset: number; display: Display }

/**
 * Formats a date as Ruby's `Time#strftime` does, with `%q` for the suffix of a day (`st`, `nd`, `rd`, `th`) in addition.
 * Unknown directives are printed as they are written.
 */
export function strftime(moment: Moment, format: string, display: Display): string {
  const offset = offsetIn(display.zone, moment.seconds)
  const time: Zoned = { ...clockAt(moment.seconds, offset), moment, offset, display }
  return write(time, format, /%[-_0^#]*\d*[de]/.test(format))
}

/** Whether a letter after `%` means something. */
export function isDirective(letter: string): boolean {
  return letter in COMPOUND || letter in TEXTS || letter in NUMBERS || 'zLN'.includes(letter)
}

function write(time: Zoned, format: string, hasDay: boolean): string {
  return format.replace(
    DIRECTIVE,
    (written, flags: string, digits: string, colons: string, _modifier: unknown, letter: string) => {
      const width = Number(digits)
      if (width > WIDEST || (colons !== '' && letter !== 'z')) return written
      return directive(time, { flags, width, colons: colons.length, hasDay }, letter) ?? written
    },
  )
}

interface Options {
  flags: string
  width: number
  colons: number
  /** Whether the format has a day of the month; some languages then inflect the name of the month. */
  hasDay: boolean
}

function directive(time: Zoned, options: Options, letter: string): string | undefined {
  const { flags, width, hasDay } = options
  if (letter === 'z') return offsetText(time.offset, options)
  if (letter === 'L' || letter === 'N') return fraction(time.moment.nanos, width || (letter === 'L' ? 3 : 9))
  const compound = COMPOUND[letter]
  if (compound !== undefined) {
    const text = cased(write(time, compound, true), options, time)
    return padded(text, flags.replaceAll('-', ''), width, ' ')
  }
  const number = NUMBERS[letter]
  if (number) return paddedNumber(number[0](time), flags, width || number[1](time), number[2])
  const text = TEXTS[letter]?.(time, hasDay)
  return text === undefined ? undefined : padded(cased(text, options, time, letter), flags, width, ' ')
}

function cased(text: string, { flags }: Options, { display }: Zoned, letter = ''): string {
  const { locale } = display.names
  if (flags.includes('#') && (letter === 'p' || letter === 'Z')) return text.toLocaleLowerCase(locale)
  const isUpper = flags.includes('^') || (flags.includes('#') && 'aAbBhP'.includes(letter) && letter !== '')
  return isUpper ? text.toLocaleUpperCase(locale) : text
}

/** Returns the character to pad with; an empty string means no padding. */
function padding(flags: string, usual: string): string {
  if (flags.includes('-')) return ''
  const last = /[_0](?=[^_0]*$)/.exec(flags)?.[0]
  return last === undefined ? usual : last === '_' ? ' ' : '0'
}

function padded(text: string, flags: string, width: number, usual: string): string {
  const pad = padding(flags, usual)
  return pad === '' ? text : text.padStart(width, pad)
}

function paddedNumber(number: number, flags: string, width: number, usual: string): string {
  const pad = padding(flags, usual)
  const digits = String(Math.abs(number))
  const sign = number < 0 ? '-' : ''
  if (pad === '') return sign + digits
  if (pad === ' ') return (sign + digits).padStart(width, ' ')
  return sign + digits.padStart(width - sign.length, '0')
}

/** Fractions of a second are cut off, not rounded. */
function fraction(nanos: number, digits: number): string {
  return String(nanos).padStart(9, '0').slice(0, digits).padEnd(digits, '0')
}

function offsetText(offset: number, { flags, width, colons }: Options): string {
  const total = Math.abs(offset)
  const hours = Math.floor(total / 3600)
  const rest = [Math.floor((total % 3600) / 60), total % 60].map(part => String(part).padStart(2, '0'))
  const shortest = rest[1] !== '00' ? 2 : rest[0] !== '00' ? 1 : 0
  const pieces = colons === 3 ? shortest : colons === 2 ? 2 : 1
  const separator = colons === 0 ? '' : ':'
  const tail = rest
    .slice(0, pieces)
    .map(part => separator + part)
    .join('')
  const sign = offset < 0 ? '-' : '+'
  const room = Math.max(width - tail.length, 3)
  if (padding(flags, '0') === ' ') return (sign + String(hours)).padStart(room, ' ') + tail
  return sign + String(hours).padStart(room - 1, '0') + tail
}

type NumberDirective = readonly [
  value: (time: Zoned) => number,
  width: (time: Zoned) => number,
  padding: '0' | ' ',
]

const zeros = (value: (time: Zoned) => number, width: number): NumberDirective => [value, () => width, '0']
const spaces = (value: (time: Zoned) => number, width: number): NumberDirective => [value, () => width, ' ']
/** Years before 0 have a digit more, for the sign. */
const years = (value: (time: Zoned) => number): NumberDirective => [
  value,
  time => (value(time) < 0 ? 5 : 4),
  '0',
]

const modulo = (number: number, divisor: number) => ((number % divisor) + divisor) % divisor
const halfDay = ({ hour }: Zoned) => hour % 12 || 12

const NUMBERS: Record<string, NumberDirective> = {
  Y: years(({ year }) => year),
  C: zeros(({ year }) => Math.floor(year / 100), 2),
  y: zeros(({ year }) => modulo(year, 100), 2),
  m: zeros(({ month }) => month, 2),
  d: zeros(({ day }) => day, 2),
  e: spaces(({ day }) => day, 2),
  j: zeros(dayOfYear, 3),
  H: zeros(({ hour }) => hour, 2),
  k: spaces(({ hour }) => hour, 2),
  I: zeros(halfDay, 2),
  l: spaces(halfDay, 2),
  M: zeros(({ minute }) => minute, 2),
  S: zeros(({ second }) => second, 2),
  s: zeros(({ moment }) => moment.seconds, 1),
  u: zeros(({ weekday }) => weekday || 7, 1),
  w: zeros(({ weekday }) => weekday, 1),
  U: zeros(time => Math.floor((dayOfYear(time) + 6 - time.weekday) / 7), 2),
  W: zeros(time => Math.floor((dayOfYear(time) + 6 - ((time.weekday + 6) % 7)) / 7), 2),
  V: zeros(time => isoWeek(time).week, 2),
  G: years(time => isoWeek(time).year),
  g: zeros(time => modulo(isoWeek(time).year, 100), 2),
}

const TEXTS: Record<string, (time: Zoned, hasDay: boolean) => string> = {
  a: ({ weekday, display }) => display.names.weekday(weekday, 'short'),
  A: ({ weekday, display }) => display.names.weekday(weekday, 'long'),
  b: ({ month, display }, hasDay) => display.names.month(month, 'short', hasDay),
  h: ({ month, display }, hasDay) => display.names.month(month, 'short', hasDay),
  B: ({ month, display }, hasDay) => display.names.month(month, 'long', hasDay),
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  P: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  q: ({ day }) => ordinalSuffix(day),
  Z: ({ moment, display }) => zoneName(display.zone, moment.seconds, display.names.locale),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

/** Days since 1970. */
function dayNumber(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS
}

function dayOfYear({ year, month, day }: Zoned): number {
  return dayNumber(year, month, day) - dayNumber(year, 1, 1) + 1
}

/** A week belongs to the year of its Thursday. */
function isoWeek({ year, month, day, weekday }: Zoned): { year: number; week: number } {
  const thursday = dayNumber(year, month, day) + 4 - (weekday || 7)
  const itsYear = new Date(thursday * DAY_MS).getUTCFullYear()
  return { year: itsYear, week: Math.floor((thursday - dayNumber(itsYear, 1, 1)) / 7) + 1 }
}
