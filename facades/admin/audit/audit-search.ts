import { limits } from '../../../routers/api/rules.ts'
import { day, line, oneOf, searchParams } from '../shell/search-params.ts'

/** The topics by which each log can be filtered. */
export const SPACE_TOPICS = {
  credentials: 'Keys',
  participants: 'Participants',
  content: 'Exports and restores',
  domains: 'Domains',
  refusals: 'Refused calls',
} as const

export const ACCOUNT_TOPICS = {
  sign_ins: 'Sign-ins',
  credentials: 'Tokens and apps',
  content: 'Restored posts',
  suspensions: 'Suspensions',
  refusals: 'Refused calls',
} as const

/** The names of the topics. */
const namesOf = <Topic extends string>(topics: Record<Topic, string>) => Object.keys(topics) as Topic[]

/** Maximum length of the text with which people search for a person, key or token. */
export const WHO_LENGTH = limits.quickSearch

const filters = {
  /** A part of a handle, or of the label of a key or token. */
  who: line(WHO_LENGTH),
  /** The first and the last day. */
  from: day,
  to: day,
}

/** Validates the search parameters of the log of a space. */
export const spaceAuditSearch = searchParams({ topic: oneOf(namesOf(SPACE_TOPICS)), ...filters })

/** Validates the search parameters of the log of an account. */
export const accountAuditSearch = searchParams({ topic: oneOf(namesOf(ACCOUNT_TOPICS)), ...filters })

/** The filter of a log. */
export type AuditSearch = ReturnType<typeof spaceAuditSearch> | ReturnType<typeof accountAuditSearch>

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
