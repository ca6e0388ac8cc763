/**
 * Returns an SQL expression for an earlier or later time. Citus accepts no expression in an update whose value depends on
 * settings, such as the time zone of the session; the arithmetic of `timestamptz` does.
 *
 * @param time an SQL expression of type `timestamptz`
 * @param change for example `- interval '1 day'`
 */
export const shifted = (time: string, change: string): string =>
  `(${time} at time zone 'UTC' ${change}) at time zone 'UTC'`
