/** PostgreSQL's codes for a violated unique constraint, foreign key and check. */
const VIOLATIONS = new Set<unknown>(['23505', '23503', '23514'])

/** The last name in quotation marks in a message. In PostgreSQL's messages, the constraint comes after its table. */
const QUOTED = /"([^"]+)"[^"]*$/

/** The number at the end of a constraint's name in a shard of a distributed table, or in a partition. */
const SHARD = /_\d+$/

/**
 * Returns the name of the unique constraint, foreign key or check that a statement violated, or undefined for any other
 * error. Works for errors of the driver and of the ORM. If the violation was found in a shard, the returned name does
 * not have the number of the shard at its end. Errors from another server may have the name only in their message, in
 * quotation marks.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  if (!(error instanceof Error && 'code' in error && VIOLATIONS.has(error.code))) return undefined
  const given = 'constraint' in error ? error.constraint : undefined
  const name = typeof given === 'string' ? given : QUOTED.exec(error.message)?.[1]
  return name?.replace(SHARD, '')
}
