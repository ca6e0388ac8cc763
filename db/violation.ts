/** PostgreSQL's code for a broken unique constraint. */
const UNIQUE_VIOLATION = '23505'

/**
 * The name of the unique constraint that a statement broke, or undefined for any other error.
 * The driver's own errors and the ORM's carry it alike.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error)
    return String(error.constraint)
  return undefined
}
