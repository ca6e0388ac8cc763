import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The new value of `updated_at` in an update: if the row changes, a time later than the old value; otherwise the old
 * value. Computed by the statement that writes, so that two writers never get the same time.
 *
 * @param changes whether the update changes the row
 */
export const nextUpdatedAt = (changes: RawBuilder<SqlBool>, now: Date) =>
  sql<Date>`case when ${changes}
    then greatest(${now}::timestamptz(3), updated_at + interval '1 millisecond')
    else updated_at end`
