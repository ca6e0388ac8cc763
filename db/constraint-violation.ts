/** PostgreSQL's codes for a violated unique constraint, foreign key and check. */
const VIOLATIONS = new Set<unknown>(['23505', '23503', '23514'])

/**
 * Returns the name of the unique constraint, foreign key or check that a statement violated, or undefined for any other
 * error. Works for errors of the driver and of the ORM.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && VIOLATIONS.has(error.code) && 'constraint' in error) return String(error.constraint)
  return undefined
}
