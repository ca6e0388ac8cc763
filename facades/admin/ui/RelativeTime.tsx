import { Text, type TextProps } from '@mantine/core'

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3600, 'minute'],
  [86_400, 'hour'],
  [604_800, 'day'],
  [2_629_800, 'week'],
  [31_557_600, 'month'],
]
const SECONDS: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  year: 31_557_600,
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a timestamp relative to the current time: "2 hours ago", "in 3 days". */
export const relativeTime = (instant: string): string => {
  const seconds = (Date.parse(instant) - Date.now()) / 1000
  if (Math.abs(seconds) < 10) return 'just now'
  const unit = STEPS.find(([bound]) => Math.abs(seconds) < bound)?.[1] ?? 'year'
  return relative.format(Math.round(seconds / SECONDS[unit]!), unit)
}

/** Formats a timestamp in the time zone of the browser: "Dec 3, 2026, 9:00 AM". */
export const exactTime = (instant: string): string => absolute.format(new Date(instant))

/** Shows a relative time, with the exact time in the browser's tooltip. */
export const RelativeTime = ({ at, ...props }: { at: string } & TextProps) => (
  <Text component="time" dateTime={at} title={exactTime(at)} span inherit {...props}>
    {relativeTime(at)}
  </Text>
)
