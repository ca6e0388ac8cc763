import type { ChangeKind, HistorySearch, Period } from '../view-search.ts'

/** The kinds of items that the history covers, as the filter names them. */
export const KIND_LABELS: Record<ChangeKind, string> = {
  page: 'Pages',
  part: 'Parts',
  record: 'Data',
  file: 'Files',
  space: 'Settings',
}

export const PERIOD_LABELS: Record<Period, string> = {
  hour: 'Last hour',
  today: 'Today',
  week: 'Last 7 days',
  between: 'Custom range',
}

const HOUR = 60 * 60_000

/** Returns the start and the end of a filter's period, which is in the person's time zone. */
export const rangeOf = (
  { when, from, to }: HistorySearch,
  now: Date,
): { since: string | undefined; until: string | undefined } => {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  if (when === 'hour') return { since: ago(HOUR), until: undefined }
  if (when === 'week') return { since: ago(7 * 24 * HOUR), until: undefined }
  if (when === 'today')
    return { since: new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString(), until: undefined }
  return {
    since: from && new Date(from).toISOString(),
    // The filter's times have no seconds, so include the whole last minute.
    until: to && new Date(Date.parse(to) + 60_000).toISOString(),
  }
}

const shownTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Describes the period of a filter, for example as "in the last hour" or "from Nov 23, 2026, 2:05 PM". */
export const describePeriod = ({ when, from, to }: HistorySearch): string | null => {
  if (when === undefined) return null
  if (when === 'today') return 'today'
  if (when !== 'between') return `in the ${PERIOD_LABELS[when].toLowerCase()}`
  const ends = [
    from && `from ${shownTime.format(new Date(from))}`,
    to && `to ${shownTime.format(new Date(to))}`,
  ]
  return ends.filter(Boolean).join(' ') || null
}
