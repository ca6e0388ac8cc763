import type { Revision } from './conformance-scope.ts'

/**
 * Findings that the official test suite reports although nothing is wrong. The suite reports such findings if a
 * scenario needs the suite's own tools, prompts or resources, or a feature that is optional.
 */
export interface Exception {
  /** The name of the scenario. */
  scenario: string
  /** The protocol revisions for which the suite reports the findings. */
  revisions: readonly Revision[]
  /** The names of the checks that the scenario reports. */
  checks: readonly string[]
  /** How the suite reports these checks; by default, as failures. */
  status?: 'WARNING' | 'SKIPPED'
  /** Why the findings are not errors of the service. */
  because: string
  /** Set if the exception applies only to servers without resources and prompts. */
  isWithoutContent?: true
}

/** The revisions that an exception applies to. */
export const HANDSHAKE: readonly Revision[] = ['2025-11-25']
export const STATELESS: readonly Revision[] = ['2026-07-28']
export const BOTH: readonly Revision[] = [...HANDSHAKE, ...STATELESS]
