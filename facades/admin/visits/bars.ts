import type { Outputs } from '../api.ts'
import { type Bar, formatDay, type Series } from '../chart/Chart.tsx'

export type Figures = Outputs['visits']['get']

/** The periods that a person can choose. */
export const PERIODS = {
  today: { label: '24 hours', days: 1 },
  month: { label: '30 days', days: 30 },
  quarter: { label: '90 days', days: 90 },
  year: { label: 'A year', days: 365 },
} as const

export type Period = keyof typeof PERIODS

/** What the bars show. The visitors of an hour are not counted. */
export const seriesOf = (period: Period): Series[] => [
  { name: 'Views', look: 'whole' },
  ...(period === 'today' ? [] : [{ name: 'Visitors', look: 'part' } as const]),
]

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const WEEK = 7

const shownHour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const shownDate = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** Every day of the period, oldest first, with the figures that were counted. */
export const everyDay = ({
  first_day: first,
  last_day: last,
  days,
}: Pick<Figures, 'first_day' | 'last_day' | 'days'>) => {
  const known = new Map(days.map(day => [day.day, day]))
  const all = []
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10)
    all.push(known.get(day) ?? { day, views: 0, visitors: 0, is_estimate: false, not_found: 0, failed: 0 })
  }
  return all
}

/** The bars of the last 24 hours, in the time zone of the browser. */
const hourBars = ({ hours }: Figures, now: number): Bar[] => {
  const known = new Map(hours.map(({ hour, views }) => [Date.parse(hour), views]))
  const current = Math.floor(now / HOUR) * HOUR
  return Array.from({ length: 24 }, (_, index) => {
    const time = current - (23 - index) * HOUR
    return { label: shownHour.format(time), values: [known.get(time) ?? 0] }
  })
}

/** The bars of a period. A year has a bar for each week, because a phone has no room for 365 of them. */
export const barsOf = (period: Period, figures: Figures, now: number): Bar[] => {
  if (period === 'today') return hourBars(figures, now)
  const days = everyDay(figures)
  const length = period === 'year' ? WEEK : 1
  const bars: Bar[] = []
  // Whole weeks are counted back from today, so that only the first one can be shorter.
  for (let end = days.length; end > 0; end -= length) {
    const part = days.slice(Math.max(0, end - length), end)
    const date = Date.parse(part[0]!.day)
    const views = part.reduce((sum, day) => sum + day.views, 0)
    const visitors = part.reduce((sum, day) => sum + day.visitors, 0)
    bars.unshift({
      label: length === 1 ? formatDay(date) : `Week from ${shownDate.format(date)}`,
      values: [views, visitors],
      heights: [views, Math.min(views, visitors)],
    })
  }
  return bars
}

/** The days of a period as a CSV file (RFC 4180). */
export const csvOf = (figures: Figures): string =>
  [
    ['day', 'views', 'visitors', 'visitors_are_estimated', 'not_found', 'failed'],
    ...everyDay(figures).map(({ day, views, visitors, is_estimate, not_found, failed }) => [
      day,
      views,
      visitors,
      is_estimate ? 'yes' : 'no',
      not_found,
      failed,
    ]),
  ]
    .map(row => `${row.join(',')}\r\n`)
    .join('')
