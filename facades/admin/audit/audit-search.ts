/** What each log can be filtered by. */
export const SPACE_TOPICS = {
  credentials: 'Keys',
  participants: 'Participants',
  content: 'Exports and restores',
  refusals: 'Refused calls',
} as const

export const ACCOUNT_TOPICS = {
  sign_ins: 'Sign-ins',
  credentials: 'Tokens and apps',
  content: 'Restored posts',
  refusals: 'Refused calls',
} as const

export type Topic = keyof typeof SPACE_TOPICS | keyof typeof ACCOUNT_TOPICS

export interface AuditSearch {
  topic?: Topic
  /** A part of a handle, or of the label of a key or token. */
  who?: string
  /** The first and the last day, such as `2026-11-23`. */
  from?: string
  to?: string
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && Number.isFinite(Date.parse(value))

/** Validates the views' search parameters. */
export const auditSearch = ({ topic, who, from, to }: Record<string, unknown>): AuditSearch => ({
  ...(typeof topic === 'string' && (topic in SPACE_TOPICS || topic in ACCOUNT_TOPICS)
    ? { topic: topic as Topic }
    : {}),
  // The router parses a label that consists of digits as a number.
  ...((typeof who === 'string' || typeof who === 'number') && String(who).trim() !== ''
    ? { who: String(who).slice(0, 100) }
    : {}),
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {}),
})

/** Returns the start of the day that is `later` days after `day`, in the person's time zone. */
const startOf = (day: string, later = 0): string => {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

/** Converts search parameters to the filter that the procedures expect. */
export const filterOf = ({ topic, who, from, to }: AuditSearch) => ({
  topic,
  who,
  since: from && startOf(from),
  until: to && startOf(to, 1),
})
