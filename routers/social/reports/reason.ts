import { lines } from '../../core/plain-text.ts'
import { limits } from '../../core/rules.ts'

/** The reason for a report, or for an operator's decision. The affected person can read the reason for a decision. */
export const reason = lines({ min: 1, max: limits.reportReason, tabs: true })
