import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The value of `updated_at` in an update: later than before when something changes, as it was when not
 * (decision 14). Decided by the statement that writes, so that no two writers come out with the same time.
 *
 * @param changes whether the row will differ from what it is
 */
export const changedAt = (changes: RawBuilder<SqlBool>, now: Date) =>
  sql<Date>`case when ${changes}
    then greatest(${now}::timestamptz(3), updated_at + interval '1 millisecond')
    else updated_at end`
