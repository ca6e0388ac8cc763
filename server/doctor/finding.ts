/** What a check has found. */
export interface Finding {
  /** What was checked, such as `certificate of example.com`. */
  check: string
  /** `fault`: something does not work. `warning`: something may go wrong. */
  state: 'good' | 'warning' | 'fault'
  found: string
  /** What to do; absent if nothing is wrong. */
  fix?: string
}

export const good = (check: string, found: string): Finding => ({ check, state: 'good', found })
export const warning = (check: string, found: string, fix: string): Finding => ({
  check,
  state: 'warning',
  found,
  fix,
})
export const fault = (check: string, found: string, fix: string): Finding => ({
  check,
  state: 'fault',
  found,
  fix,
})

/** The message of an error, with its code if it has one. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // An error for several addresses has no message of its own.
  const text = error.message || (error instanceof AggregateError ? messageOf(error.errors[0]) : error.name)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}
