import type { AuditSearch } from '../view-search.ts'

/** Returns the start of the day that is `later` days after `day`, in the person's time zone. */
const startOf = (day: string, later = 0): string => {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

/** Converts the search parameters of a log to the filter that the procedures expect. */
export const filterOf = <Topic>({ topic, who, from, to }: AuditSearch & { topic?: Topic }) => ({
  topic,
  who,
  since: from && startOf(from),
  until: to && startOf(to, 1),
})
