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
  refusals: 'Refused calls',
} as const

export type Topic = keyof typeof SPACE_TOPICS | keyof typeof ACCOUNT_TOPICS

export interface AuditSearch {
  topic?: Topic
}

/** Validates the views' search parameters. */
export const auditSearch = ({ topic }: Record<string, unknown>): AuditSearch =>
  typeof topic === 'string' && (topic in SPACE_TOPICS || topic in ACCOUNT_TOPICS)
    ? { topic: topic as Topic }
    : {}
