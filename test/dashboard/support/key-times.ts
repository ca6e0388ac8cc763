import type { TestService } from '../../support/test-service.ts'

export const DAY = 24 * 60 * 60 * 1000

/** Moves the times of all keys or tokens into the past by `interval`, an SQL interval. */
export const passTime = (
  { core }: TestService,
  table: 'space_keys' | 'user_tokens',
  interval: string,
): Promise<unknown> =>
  core.database.orm.em
    .fork()
    .execute(
      `update ${table} set created_at = created_at - interval '${interval}', ` +
        `expires_at = expires_at - interval '${interval}', replaced_at = replaced_at - interval '${interval}'`,
    )

/** Returns the lifetime of a new key or token in ms, or null if it does not expire. */
export const lifetimeOf = ({ created_at, expires_at }: { created_at: string; expires_at: string | null }) =>
  expires_at === null ? null : Date.parse(expires_at) - Date.parse(created_at)
