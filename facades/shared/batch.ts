/**
 * Maximum number of calls in one request of the dashboard. The client splits larger batches; the server refuses them.
 */
export const MAX_BATCH = 50
