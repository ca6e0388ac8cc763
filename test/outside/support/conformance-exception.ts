/**
 * A scenario with findings that the official test suite reports although nothing is wrong. Such scenarios need tools,
 * prompts or resources that were written for the suite, or optional features.
 */
export interface Exception {
  /** The name of the scenario. */
  scenario: string
  /** The names of its checks that fail or warn. */
  checks: readonly string[]
  /** Why nothing is wrong. */
  because: string
  /** Set if the exception applies only to servers without resources and prompts. */
  isWithoutContent?: true
}
