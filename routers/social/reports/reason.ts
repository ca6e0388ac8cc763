import { lines } from '../../core/plain-text.ts'
import { limits } from '../../core/rules.ts'

/** The reason for a report, or for an operator's decision, which the person concerned reads. */
export const reason = lines({ min: 1, max: limits.reportReason, tabs: true })
