/**
 * Returns an SQL expression for an earlier or later time. In an update, Citus accepts no expression whose value depends
 * on settings. The arithmetic of `timestamptz` depends on the time zone of the session, so this expression uses UTC.
 *
 * @param time an SQL expression of type `timestamptz`
 * @param change for example `- interval '1 day'`
 */
export const shifted = (time: string, change: string): string =>
  `(${time} at time zone 'UTC' ${change}) at time zone 'UTC'`
