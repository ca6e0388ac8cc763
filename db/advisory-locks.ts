/**
 * The key of each advisory lock. The numbers are arbitrary, but all different. They must not change, because processes
 * of two versions can share a database.
 */
export const advisoryLocks = {
  /** Held while the schema changes. */
  migration: 72_119_301,
  /** Held while an account is deleted. */
  accountDeletion: 72_119_302,
  /** Held while the first account or its set-up link is created. */
  setUp: 72_119_303,
  /** Held while an OAuth client registers itself. */
  clientRegistration: 72_119_304,
} as const
