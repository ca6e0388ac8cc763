/** Calls that one request of the dashboard may carry. The server refuses more, so the client sends no more. */
export const MAX_BATCH = 50
