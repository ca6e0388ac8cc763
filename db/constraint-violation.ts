/** PostgreSQL's codes for a broken unique constraint and for a reference to a row that is not there. */
const VIOLATIONS = new Set<unknown>(['23505', '23503'])

/**
 * The name of the unique constraint or foreign key that a statement broke, or undefined for any other error.
 * The driver's own errors and the ORM's carry it alike.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && VIOLATIONS.has(error.code) && 'constraint' in error) return String(error.constraint)
  return undefined
}
