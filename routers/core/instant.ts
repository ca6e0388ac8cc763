/**
 * The time of a change: now, but always later than the change before it, also within one millisecond
 * and when the clock was set back (decision 14).
 */
export const after = (previous: Date): Date => new Date(Math.max(Date.now(), previous.getTime() + 1))
