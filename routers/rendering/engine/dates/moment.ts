/** A point in time. `nanos` counts from the full second. */
export interface Moment {
  seconds: number
  nanos: number
}

/** The largest number of seconds since 1970 that a JavaScript date can represent. */
const FURTHEST = 8.64e12

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** What a clock on the wall shows. Months and days count from 1. */
export interface Clock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** Returns a moment, or undefined if the calendar of JavaScript does not reach it. */
export function momentAt(seconds: number, nanos = 0): Moment | undefined {
  return Math.abs(seconds) <= FURTHEST ? { seconds, nanos } : undefined
}

/** Seconds since 1970 in UTC. A day that the month does not have continues in the next month, as in Ruby. */
export function secondsOf({ year, month, day, hour, minute, second }: Clock): number {
  const date = new Date(0)
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second
}

/** What a clock shows at this moment, `offset` seconds east of UTC. */
export function clockAt(seconds: number, offset: number): Clock & { weekday: number } {
  const date = new Date((seconds + offset) * 1000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  }
}

/** Whether a clock can show this. 24:00 and leap seconds exist; day 31 of a short month continues in the next month. */
export function isPossible({ month, day, hour, minute, second }: Clock): boolean {
  const isTime = hour < 24 ? minute < 60 && second <= 60 : hour === 24 && minute === 0 && second === 0
  return isTime && month >= 1 && month <= MONTH_DAYS.length && day >= 1 && day <= 31
}
