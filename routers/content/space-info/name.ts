import { line } from '../../core/plain-text.ts'
import { limits } from '../../core/rules.ts'

/** The name of a space. */
export const spaceName = line({ min: 1, max: limits.spaceName })
