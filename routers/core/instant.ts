/**
 * Returns the time of a change: now, but always later than the previous change, even within one millisecond or after
 * the clock was set back.
 */
export const after = (previous: Date): Date => new Date(Math.max(Date.now(), previous.getTime() + 1))
